/**
 * Gives the people of a wave and their codes as a file, for those who write to people by other means.
 *
 * @module
 */
import type { InvitedSignup } from "../../../shared/operator_schemas.ts";
import { createFormat, INVITED_FIELDS } from "../../../shared/signup_formats.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { readAnswerLines } from "../answer_lines.ts";
import { button, pathWith, postForm } from "../components.ts";
import { failedView } from "../failures.ts";
import { PATHS } from "../layout.ts";
import { type ConsolePage, seeOther } from "../page_context.ts";
import { type NextWave, waveOfForm } from "./wave.ts";

/** The path of the download. */
const CODES_PATH = "/operator/invite/codes/";

/** What an operator can go on with after a wave. */
export function afterWave(wave: NextWave, { invite: labels }: ConsoleTexts): Html {
  return markup`<div class="actions">
${
    postForm(
      { action: CODES_PATH, fields: wave },
      button(labels.codes, wave.letters ? undefined : "primary"),
    )
  }
<a class="button" href="${pathWith(PATHS.people, { state: "invited" })}">${labels.people}</a>
<a class="button" href="${PATHS.invite}">${labels.another}</a>
</div>`;
}

/** People who are put into the file at once. */
const ROWS_AT_ONCE = 200;

/** The people of a wave as CSV. It asks for the wave again, which invites nobody else once it is done. */
export const codesPage: ConsolePage = {
  path: CODES_PATH,
  get: () => Promise.resolve(seeOther(PATHS.invite)),
  async post({ operations, texts, now }, form) {
    const body = waveOfForm(form, now);
    const answer = await operations.POST("/operator/v1/signups/invite", {
      body,
      parseAs: "stream",
    });
    if (!answer.data) {
      return failedView(answer, texts, { title: texts.invite.title, back: PATHS.invite });
    }
    return new Response(ReadableStream.from(csvOf(answer.data)), {
      headers: {
        "Content-Type": "text/csv; charset=utf-8",
        "Content-Disposition": `attachment; filename="invited-${body.wave}.csv"`,
      },
    });
  },
};

async function* csvOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  const { head, rows } = createFormat("csv", INVITED_FIELDS);
  yield encoder.encode(head);
  let people: string[] = [];
  const flush = () => {
    const text = rows(people);
    people = [];
    return encoder.encode(text);
  };
  for await (const line of readAnswerLines<Partial<InvitedSignup>>(body)) {
    if (line.email === undefined) continue;
    people.push(JSON.stringify(line));
    if (people.length === ROWS_AT_ONCE) yield flush();
  }
  yield flush();
}
