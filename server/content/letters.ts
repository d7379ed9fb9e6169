/**
 * Reads the letters of a language.
 *
 * @module
 */
import { z } from "zod";
import {
  type ContentEntry,
  listFolders,
  nameOf,
  parseFrontMatter,
  readTextOf,
  textSchema,
} from "./files.ts";

/** A letter as it is written. Letters of the same name in two languages are translations of each other. */
export interface SourceLetter {
  /** The path of the file, for messages, such as `content/en/letters/invitation.md`. */
  file: string;
  /** The file name without its extension. */
  name: string;
  /** Plain text with placeholders. */
  subject: string;
  /** Markdown. */
  body: string;
}

const letterSchema = z.strictObject({ subject: textSchema });

/** Reads the letters in the folders of a language. */
export async function readLetters(folders: ContentEntry[]): Promise<SourceLetter[]> {
  const letters: SourceLetter[] = [];
  for (const entries of (await listFolders(folders)).values()) {
    const { file, text } = await readTextOf(entries);
    if (!file.endsWith(".md")) throw new Error(`${file} is no letter; letters are .md files`);
    const { front, body } = parseFrontMatter(file, text, letterSchema);
    letters.push({ file, name: nameOf(file), body, ...front });
  }
  return letters;
}
