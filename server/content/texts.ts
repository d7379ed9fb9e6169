/** Reads `texts.yaml`, the texts that the pages of a language share. @module */
import type { z } from "zod";
import english from "../../shared/generated/texts.json" with { type: "json" };
import { ownMember } from "../../shared/own_member.ts";
import { isObject } from "../../shared/schemas.ts";
import { checkValue, type ContentEntry, readYaml } from "./files.ts";
import { mapMembers, schemaOf } from "./text_schemas.ts";

/** The name of the file with the texts, in the folder of each language. */
export const TEXTS_FILE = "texts.yaml";

/** The texts of `texts.yaml`. They may have placeholders, and Markdown where a comment in the file says so. */
export type Texts = typeof english;

// The cast holds, because the schema accepts only texts with the keys and the lists of the English texts.
const textsSchema = schemaOf(english) as z.ZodType<Texts>;

/**
 * Reads `texts.yaml`. The file of an overlay has only the texts that it changes, so that the file stays valid if a
 * later version of the program has more texts.
 */
export async function readTexts(entry: ContentEntry): Promise<Texts> {
  return checkValue(entry.label, await readMembers(entry), textsSchema);
}

/** Reads the texts of a file. The texts of an overlay's file replace the texts of the built-in file. */
async function readMembers(entry: ContentEntry): Promise<unknown> {
  const texts = await readYaml(entry);
  return entry.under ? replaceMembers(await readMembers(entry.under), texts) : texts;
}

/**
 * Returns `builtIn` with members replaced by the members of `overlay` that have the same names, at any depth. A list is
 * replaced as a whole.
 */
function replaceMembers(builtIn: unknown, overlay: unknown): unknown {
  if (!isObject(builtIn) || !isObject(overlay)) return overlay;
  return {
    ...builtIn,
    ...mapMembers(overlay, (value, name) => replaceMembers(ownMember(builtIn, name), value)),
  };
}
