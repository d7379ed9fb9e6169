import type { InvitationRequest } from "../../../shared/operator_schemas.ts";
import { createFormat, INVITED_FIELDS } from "../../../shared/signup_formats.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { downloadPeople } from "../answer_lines.ts";
import {
  button,
  type Fields,
  knownValue,
  LANGS,
  pathWith,
  postForm,
  SOURCES,
} from "../components.ts";
import { failedView } from "../failures.ts";
import { PATHS } from "../layout.ts";
import { type ConsolePage, momentId, type PageContext, seeOther } from "../page_context.ts";

const CODES_PATH = "/operator/invite/codes/";

export function askForInvitations({ operations }: PageContext, body: InvitationRequest) {
  return operations.POST("/operator/v1/signups/invite", { body, parseAs: "stream" });
}

export function afterWave(wave: NextWave, { invite: labels }: ConsoleTexts): Html {
  const codes = button(labels.codes, wave.letters ? undefined : "primary");
  return markup`<div class="actions">
${postForm({ action: CODES_PATH, fields: wave }, codes)}
<a class="button" href="${pathWith(PATHS.people, { state: "invited" })}">${labels.people}</a>
<a class="button" href="${PATHS.invite}">${labels.another}</a>
</div>`;
}

/**
 * The people of a wave and their codes as CSV, for those who write to people by other means. It asks for the wave
 * again, which invites nobody else once it is done.
 */
export const codesPage: ConsolePage = {
  path: CODES_PATH,
  get: () => seeOther(PATHS.invite),
  async post(pageContext, form) {
    const { texts, now } = pageContext;
    const wave = waveOfForm(form, now);
    const answer = await askForInvitations(pageContext, wave);
    if (!answer.data) {
      return failedView(answer, texts, { title: texts.invite.title, back: PATHS.invite });
    }
    const format = createFormat("csv", INVITED_FIELDS);
    return downloadPeople(answer.data, format, `invited-${wave.wave}.csv`);
  },
};

/** A wave of the next people, as a form hands it on; the operation checks it. */
export type NextWave =
  & Pick<InvitationRequest, "wave" | "link" | "lang" | "source" | "role" | "building" | "letters">
  & { next: number };

/** Reads a wave from a form, which has its id in `wave` if the operator has chosen one, and else in `new_wave`. */
export function waveOfForm(form: Fields, now: number): NextWave {
  const text = (name: string) => form.get(name)?.trim() ?? "";
  const lang = knownValue(LANGS, form.get("lang"));
  const source = knownValue(SOURCES, form.get("source"));
  return {
    wave: text("wave") || text("new_wave") || momentId(now),
    next: Number(text("next")),
    link: text("link"),
    ...lang && { lang },
    ...source && { source },
    ...text("role") && { role: text("role") },
    ...text("building") && { building: text("building") },
    letters: form.has("letters"),
  };
}
