/** When operators were told of trouble, which all processes share. @module */
import { createRandomIds, type Runtime } from "../../runtime/mod.ts";
import { type Kv, type Leased, NOTICES, workAlone } from "../kv/mod.ts";

/** What `["notices"]` holds, in milliseconds since 1970: when trouble was looked for, and told of. */
export interface Notices extends Leased, Partial<Record<"lookedAt" | "letter" | "event", number>> {}

/** Gives how one process of all looks for trouble, if it is due, and stores when it did. */
export function createNoticesStore(
  { random, ...options }: Pick<Runtime, "now" | "random" | "repeat"> & { kv: Kv },
) {
  const place = { ...options, key: NOTICES, by: createRandomIds({ length: 16, random })() };
  return (
    isDue: (notices?: Notices) => boolean,
    look: (notices?: Notices) => Promise<Notices>,
  ) => workAlone(place, isDue, look);
}
