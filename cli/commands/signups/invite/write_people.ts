import type { InvitationRequest } from "../../../../shared/operator_schemas.ts";
import { CliError, EXIT } from "../../../errors.ts";
import { cannotWrite } from "../../../files.ts";
import type { Work } from "../../../operator/progress.ts";
import { createFormat, formatOfFile, INVITED_FIELDS } from "../../../../shared/signup_formats.ts";
import { callWave, type WaveOutcome } from "./call_wave.ts";

/** People who are written at once. */
const PEOPLE_AT_ONCE = 500;

/**
 * Calls a wave, and writes its people to a file, which gets its name once it is whole. It can be called again
 * after a cut: the service lists everybody in the wave anew.
 *
 * @throws {CliError} where the file cannot be written, such as on a full disk
 */
export async function writePeople(
  path: string,
  body: InvitationRequest,
  work: Work,
): Promise<WaveOutcome> {
  const { files } = work.context;
  const part = `${path}.part`;
  const { head, rows } = createFormat(formatOfFile(path), INVITED_FIELDS);
  const encoder = new TextEncoder();

  async function explaining<T>(writing: () => Promise<T>): Promise<T> {
    try {
      return await writing();
    } catch (error) {
      const nextStep = `set it right and go on with --wave ${body.wave}`;
      throw new CliError(cannotWrite(`'${part}'`, error, { nextStep }), EXIT.failedCheck);
    }
  }

  // Opened before anybody is invited, so that a wrong path changes nothing.
  using file = await explaining(() => files.openAt(part, 0));
  const write = (text: string) => explaining(() => file.write(encoder.encode(text)));
  await write(head);
  let people: string[] = [];
  const flush = async () => {
    const text = rows(people);
    people = [];
    await write(text);
  };
  const outcome = await callWave(body, work, (person) => {
    people.push(JSON.stringify(person));
    return people.length < PEOPLE_AT_ONCE ? undefined : flush();
  });
  await flush();
  await explaining(async () => {
    await file.sync();
    await files.rename(part, path);
  });
  return outcome;
}
