/**
 * Sends the invitation letter of a planned wave to a test address. The page with the plan has the form for the test, and
 * then the result. @module
 */
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import type { ResultOf } from "../../operator/mod.ts";
import { type Lang, LANGS } from "../../waitlist/mod.ts";
import { failureNote, faultNote, section, statusNote } from "../components.ts";
import { button, field, type FieldValues, postForm, type SentFields } from "../forms.ts";
import { type PageContext, type PageFailure, PATHS } from "../page_context.ts";
import { TOKEN_FIELD } from "../repeated_forms.ts";
import { textOfField, waveOfForm } from "./wave_of_form.ts";

/** The field with the test address. The plan shows the address again after the test. */
const ADDRESS_FIELD = "test_email";

/** The field with the languages of the letters, separated by spaces. Only the form for a test has this field. */
const LANGS_FIELD = "test_langs";

/** The field with the result of the last test, as JSON. Only the console itself makes this field. */
export const TEST_RESULT_FIELD = "test_result";

/** All fields of a test. */
export const TEST_FIELDS = [ADDRESS_FIELD, LANGS_FIELD, TOKEN_FIELD, TEST_RESULT_FIELD];

type TestResult = ResultOf<"testInvitation"> | PageFailure;

/**
 * The form that sends the invitation letter of a plan to a test address; `undefined` if the service sends no letters,
 * or if the operator's role does not allow the test.
 * @param form the fields that the page with the plan got, with the address of the last test
 * @param options.planFields the fields of the plan, with which the plan is shown again
 */
export function testInvitationForm(
  { texts: { letters, outbox }, may, newToken, previewInvitation }: PageContext,
  form: SentFields,
  { planFields, langs }: { planFields: FieldValues; langs: readonly Lang[] },
): Html | undefined {
  if (!previewInvitation || !may("testInvitation")) return undefined;
  const attributes =
    markup` type="email" required maxlength="254" autocomplete="off" aria-describedby="test-about" value="${
      textOfField(form, ADDRESS_FIELD)
    }"`;
  const testForm = postForm(
    {
      action: PATHS.invite,
      fields: { ...planFields, [LANGS_FIELD]: langs.join(" "), [TOKEN_FIELD]: newToken() },
      attributes: markup` class="filters"`,
    },
    markup`${field(ADDRESS_FIELD, { label: outbox.testAddress, attributes })}
${button(letters.testSubmit)}`,
  );
  return section(
    "test",
    outbox.testLetter,
    markup`<p class="soft" id="test-about">${letters.testHint}</p>
${testForm}`,
  );
}

/** Whether a sent form asks for a test. */
export const asksForTest = (form: SentFields): boolean => form.has(LANGS_FIELD);

/** Sends the letter to the test address. Returns the fields with which the plan is shown, with the result. */
export async function testPlannedInvitation(
  { operations, now }: PageContext,
  form: SentFields,
): Promise<SentFields> {
  const email = textOfField(form, ADDRESS_FIELD);
  const { link, expires } = waveOfForm(form, now);
  const requestedLangs = textOfField(form, LANGS_FIELD).split(" ");
  const result: TestResult = await operations.testInvitation({
    email,
    link,
    ...expires && { expires },
    langs: LANGS.filter((lang) => requestedLangs.includes(lang)),
  });
  const planFields = [...form].filter(([name]) => !TEST_FIELDS.includes(name));
  return new Map([
    ...planFields,
    [ADDRESS_FIELD, email],
    [TEST_RESULT_FIELD, JSON.stringify(result)],
  ]);
}

/**
 * Says of each letter of the last test whether the mail server has taken the letter, and what the mail server answered;
 * `undefined` if there was no test.
 */
export function testResultNotes(
  form: SentFields,
  texts: ConsoleTexts,
): Html[] | Html | undefined {
  const resultText = form.get(TEST_RESULT_FIELD);
  if (resultText === undefined) return undefined;
  const result: TestResult = JSON.parse(resultText);
  if ("failure" in result) return failureNote(result, texts);
  const { outbox, words, letters: labels } = texts;
  const email = textOfField(form, ADDRESS_FIELD);
  return result.letters.map(({ lang, delivered, ms, answer }) => {
    const about = labels.testOf({ email, language: words.langs[lang] });
    const verdict = delivered ? outbox.taken({ ms }) : outbox.notTaken;
    const message = markup`${about} ${verdict} <code>${answer}</code>`;
    return delivered ? statusNote(message) : faultNote(message);
  });
}
