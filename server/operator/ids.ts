/** The ids of waves and jobs. A caller may choose the id, so that a repeat of the call starts nothing twice. @module */
import { Buffer } from "node:buffer";
import { z } from "zod";
import { momentId } from "../../shared/moments.ts";
import { WAVE_ID } from "../../shared/name_patterns.ts";
import type { Runtime } from "../runtime/mod.ts";

const ID_RULE = "give 1 to 64 of the characters A-Z, a-z, 0-9, '_' and '-'";

/** The schema of the id of a wave or a job. */
export const idSchema = z.string(ID_RULE).regex(WAVE_ID, ID_RULE);

/** Whether a text can be the id of a wave or a job. KV is not read for any other text. */
export const isPossibleId = (text: string): boolean => WAVE_ID.test(text);

/** Makes a new id. Two ids can be made in the same millisecond, so a random part makes them differ. */
export function newId({ now, random }: Pick<Runtime, "now" | "random">): string {
  return `${momentId(now())}-${Buffer.from(random(3)).toString("hex")}`;
}
