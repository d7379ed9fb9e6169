/**
 * Reads the people of a wave and writes them to a file, for `waitlist waves people` and `waitlist signups invite`.
 *
 * @module
 */
import type { InvitedSignup, WavePeople } from "../../../shared/operator_schemas.ts";
import { createFormat, formatOfFile, INVITED_FIELDS } from "../../../shared/signup_formats.ts";
import { plural } from "../../format.ts";
import { withRetries } from "../../operator/cuts.ts";
import type { WorkTools } from "../../operator/run_long_work.ts";
import { writeWhole } from "../../whole_file.ts";

/** How many people one call returns at most (`listWavePeople` in the OpenAPI document). */
const PAGE_SIZE = 500;

/**
 * Reads the people of a wave page by page.
 *
 * @param options.limit how many people to read at most
 * @param options.isExport whether the people go to a file; if so, the service makes an entry in the audit log
 */
export async function* readWavePeople(
  id: string,
  { limit = Infinity, isExport = false }: { limit?: number; isExport?: boolean },
  tools: WorkTools,
): AsyncGenerator<InvitedSignup[]> {
  let after: string | undefined;
  for (let remaining = limit; remaining > 0;) {
    const query = {
      limit: Math.min(remaining, PAGE_SIZE),
      ...isExport && { export: true },
      ...after !== undefined && { after },
    };
    const call = () => tools.client.call("listWavePeople", { path: { id }, query });
    const { people, next }: WavePeople = await withRetries(call, tools);
    yield people;
    if (next === undefined) return;
    after = next;
    remaining -= people.length;
  }
}

/**
 * Writes the people of a wave to a file, with {@linkcode writeWhole}.
 *
 * @returns the number of people
 * @throws {CliError} if the file cannot be written, for example because the disk is full
 */
export async function writeWavePeople(path: string, id: string, tools: WorkTools): Promise<number> {
  const { context: { files }, progress } = tools;
  const { head, rows } = createFormat(formatOfFile(path), INVITED_FIELDS);
  const encoder = new TextEncoder();
  const nextStep = `solve this problem, and run 'waitlist waves people ${id} --output ${path}'`;
  return await writeWhole(path, async (file) => {
    await file.write(encoder.encode(head));
    let count = 0;
    for await (const people of readWavePeople(id, { isExport: true }, tools)) {
      const lines = people.map((person) => JSON.stringify(person));
      await file.write(encoder.encode(rows(lines)));
      count += people.length;
      progress.show(plural(count, "person", "people"));
    }
    return count;
  }, { files, nextStep });
}
