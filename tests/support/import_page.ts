/** The page of the console that imports people: its forms with a file, and what its answers show. @module */
import assert from "node:assert/strict";
import type { ConsoleAnswer, ConsoleService } from "./console.ts";
import { readAudit } from "./operator.ts";
import { storedSignUps } from "./records.ts";

export const PAGE = "/operator/data/import/";
export const CONSENT = "2024-05-01T09:30:00Z";

export type FileContent = string | Uint8Array<ArrayBuffer>;

/** Makes a form with a file, as a browser sends it. */
export function formWith(
  fields: Record<string, string>,
  content?: FileContent,
  name = "list.csv",
): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  // A browser sends a file without a name if nobody has chosen one.
  form.set(
    "file",
    new File(content === undefined ? [] : [content], content === undefined ? "" : name),
  );
  return form;
}

/** Sends a form with a file. */
export const upload = (
  { browser }: Pick<ConsoleService, "browser">,
  ...sent: Parameters<typeof formWith>
): Promise<ConsoleAnswer> => browser.send(PAGE, {}, { body: formWith(...sent) });

/** Tries a file, without fields or with them. */
export const tryFile = (
  service: ConsoleService,
  content: FileContent,
  { name, ...fields }: Record<string, string> = {},
): Promise<ConsoleAnswer> => upload(service, { step: "try", ...fields }, content, name);

/** The hidden fields of the form that imports a tried file. */
export function secondStep(html: string): Record<string, string> {
  const [, form = ""] = /<h2 id="submit">([^]*?)<\/form>/.exec(html) ?? [];
  assert.notEqual(form, "", html);
  const inputs = form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g);
  return Object.fromEntries([...inputs].map(([, name, value]) => [name, value]));
}

/** The numbers of a result by their labels. */
export function figures(html: string): Record<string, string> {
  const [, list = ""] = /<dl class="figures">([^]*?)<\/dl>/.exec(html) ?? [];
  const pairs = list.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g);
  return Object.fromEntries([...pairs].map(([, label, value]) => [label, value]));
}

/** The refused rows of a page by reason: the numbers of the lines, and the reason. */
export function refusedRows(html: string): string[] {
  const rows = html.matchAll(
    /<td><span lang="en">(.*?)<\/span><\/td>\s*<td class="number">[\d,]+<\/td>\s*<td>(.*?)<\/td>/g,
  );
  return [...rows.map(([, reason, lines]) => `${lines}: ${reason}`)];
}

/** The note about the state of a tried import: its class and its text. */
export function noteIn(html: string): [kind: string | undefined, text: string | undefined] {
  const [, kind, text] = /<p class="(\w+)" role="(?:status|alert)">([^]*?)<\/p>/.exec(html) ?? [];
  return [kind, text];
}

/** The fields for which a page proposes a column, and the columns. */
export function chosenColumns(html: string): string[][] {
  const menus = html.matchAll(
    /<select id="column_(\w+)"[^>]*>(?:(?!<\/select>)[^])*?<option value="([^"]+)" selected>/g,
  );
  return [...menus].map(([, field, column]) => [field!, column!]);
}

/** Asserts that a page says why it refuses a file, and that nothing is stored. */
export async function assertRefused(
  service: ConsoleService,
  { status, html }: ConsoleAnswer,
  expected: { status: number; reason: RegExp },
): Promise<void> {
  assert.equal(status, expected.status, html);
  assert.match(/role="alert">([^]*?)<\/p>/.exec(html)?.[1] ?? "", expected.reason);
  assert.match(html, /<input id="file" name="file" type="file"/);
  assert.deepEqual(await storedSignUps(service.kv), {});
  assert.deepEqual(await readAudit(service), []);
}

/** A CSV list of new people. */
export function listOf(count: number): string {
  const rows = Array.from({ length: count }, (_, n) => `person${n}@example.com,${CONSENT}\n`);
  return `email,consentedAt\n${rows.join("")}`;
}

/** The rows of the table with the first rows of the file: the field, and its value in each row. */
export function sampleIn(html: string): string[][] {
  const [, rows = ""] = /<caption>The first rows[^]*?<tbody>([^]*?)<\/tbody>/.exec(html) ?? [];
  return rows.split("</tr>").slice(0, -1).map((row) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, cell]) =>
      cell!.replace(/<[^>]+>/g, "")
    )
  );
}
