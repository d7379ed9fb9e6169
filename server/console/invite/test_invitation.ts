/**
 * The form that sends the invitation letter of a planned wave to a test address, and the page with the result. @module
 */
import { type Html, markup } from "../../content/mod.ts";
import { type Lang, LANGS } from "../../waitlist/mod.ts";
import { failureNote, faultNote, statusNote, statusOf } from "../components.ts";
import { button, field, type FieldValues, postForm } from "../forms.ts";
import { type ConsolePage, type PageContext, PATHS, seeOther, type View } from "../page_context.ts";
import { TOKEN_FIELD } from "../repeated_forms.ts";
import { fieldsWithout, waveOfForm } from "./wave_of_form.ts";

const TEST_PATH = "/operator/invite/test/";

const ADDRESS_FIELD = "test_email";

/** The field with the languages of the letters, separated by spaces. */
const LANGS_FIELD = "test_langs";

/**
 * The form that sends the invitation letter of a plan to a test address; `undefined` if the operator's role does not
 * allow the test.
 * @param planFields the fields of the plan, with which the page of the result leads back to the plan
 */
export function testInvitationForm(
  { texts: { letters, outbox }, may, newToken }: PageContext,
  planFields: FieldValues,
  langs: readonly Lang[],
): Html | undefined {
  if (!may("testInvitation")) return undefined;
  const attributes = markup` type="email" required maxlength="254" autocomplete="off"`;
  return postForm(
    {
      action: TEST_PATH,
      fields: { ...planFields, [LANGS_FIELD]: langs.join(" "), [TOKEN_FIELD]: newToken() },
      attributes: markup` class="wave"`,
    },
    markup`${
      field(ADDRESS_FIELD, {
        label: outbox.testAddress,
        attributes,
        hint: letters.testHint,
      })
    }
${button(letters.testSubmit)}`,
  );
}

/** Sends the invitation, and says what the mail server answered. */
export const testInvitationPage: ConsolePage = {
  path: TEST_PATH,
  // The page only acts on its form. Without the form, there is nothing to show.
  get: () => seeOther(PATHS.invite),
  async post(pageContext, form): Promise<View> {
    const { operations, texts, now } = pageContext;
    const { letters, outbox, words } = texts;
    const { link, expires } = waveOfForm(form, now);
    const title = letters.testSubmit;
    const askedLangs = form.get(LANGS_FIELD)?.split(" ") ?? [];
    const test = await operations.testInvitation({
      email: form.get(ADDRESS_FIELD)?.trim() ?? "",
      link,
      ...expires && { expires },
      langs: LANGS.filter((lang) => askedLangs.includes(lang)),
    });
    const planFields = fieldsWithout(form, [ADDRESS_FIELD, LANGS_FIELD, TOKEN_FIELD]);
    const back = postForm({ action: PATHS.invite, fields: planFields }, button(words.back));
    if ("failure" in test) {
      const body = markup`${failureNote(test, texts)}
${back}`;
      return { title, status: statusOf(test), body };
    }
    const resultNotes = test.letters.map(({ lang, delivered, ms, answer }) => {
      const outcome = delivered ? outbox.taken({ ms }) : outbox.notTaken;
      const note = markup`${words.langs[lang]}: ${outcome} <code>${answer}</code>`;
      return delivered ? statusNote(note) : faultNote(note);
    });
    return {
      title,
      body: markup`${resultNotes}
${back}`,
    };
  },
};
