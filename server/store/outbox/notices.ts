/** When operators were told of trouble, which all processes share. @module */
import type { Runtime } from "../../runtime/mod.ts";
import { createLeasedWork, type Kv, type Leased, NOTICES } from "../kv/mod.ts";

/** What `["notices"]` holds, in milliseconds since 1970: when trouble was looked for, and told of. */
export interface Notices extends Leased, Partial<Record<"lookedAt" | "letter" | "event", number>> {}

/** Gives how one process of all looks for trouble, if it is due, and stores when it did. */
export const createNoticesStore = (
  options: Pick<Runtime, "now" | "random" | "repeat"> & { kv: Kv },
) => createLeasedWork<Notices>(NOTICES, options);
