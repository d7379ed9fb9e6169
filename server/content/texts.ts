/**
 * The texts of a language that several pages share: navigation, forms, messages. They are in `texts.yaml`
 * in the language's folder.
 *
 * @module
 */
import { z } from "zod";
import { isObject } from "../../shared/schemas.ts";
import { checkValue, type ContentEntry, parseYaml, readTextOf, textSchema } from "./files.ts";

/** The name of the file in the folder of a language. */
export const TEXTS_FILE = "texts.yaml";

const text = textSchema;
const link = z.strictObject({ label: text, path: z.string().regex(/^\/\S*$/) });

/** The schema of `texts.yaml`. Values may use placeholders, and Markdown where it is noted. */
export const textsSchema = z.strictObject({
  /** The name of the language, in the language itself. */
  name: text,
  /** The locale for Open Graph, such as `en_GB`. */
  locale: z.string().regex(/^[a-z]{2}_[A-Z]{2}$/),
  skip: text,
  navigation: z.strictObject({ label: text, links: z.array(link) }),
  footer: z.strictObject({ label: text, note: text, contact: text, links: z.array(link) }),
  contents: text,
  table: text,
  /** The texts of the buttons on code in a guide. */
  copy: text,
  copied: text,
  sign_up: z.strictObject({
    email: text,
    /** A browser shows it beside its own message about an address that is not valid. */
    email_hint: text,
    /** Markdown. */
    consent: text,
    submit: text,
    sending: text,
    /** The label of the honeypot, for people who meet it. */
    trap: text,
    done_title: text,
    /** With `{email}`. */
    done_text: z.string().includes("{email}"),
    /** In the place of the two above while letters are sent. */
    letter_title: text,
    /** With `{email}`. */
    letter_text: z.string().includes("{email}"),
    /** The button that brings the form back, to correct the address. */
    correct: text,
    invalid_email: text,
    /** The address has a letter such as ä. */
    not_ascii: text,
    consent_required: text,
    /** With `{seconds}`. */
    rate_limited: z.string().includes("{seconds}"),
    /** The form has a field or a value that the API does not take. */
    invalid_request: text,
    /** The service, or something before it, failed. */
    failed: text,
    /** There was no answer: no connection, or none for 15 seconds. */
    offline: text,
    timed_out: text,
    /** Markdown: replaces the form in the page's Markdown. */
    markdown: text,
  }),
  /** The texts of the person's page. */
  place: z.strictObject({
    /** Plain text: the wording above the button that confirms. Every version of it is kept. */
    consent: text,
    confirm: text,
    ask: text,
    ask_label: text,
    data: text,
    leave: text,
    /** The names of what is kept, and of the values that are no texts of the person. */
    kept: z.strictObject({
      email: text,
      state: text,
      createdAt: text,
      consentedAt: text,
      updatedAt: text,
      lang: text,
      source: text,
      role: text,
      building: text,
      confirmations: text,
      confirmedAt: text,
      wording: text,
      invitedAt: text,
      invitationCode: text,
      wave: text,
      linkAt: text,
      undeliverableAt: text,
      waiting: text,
      id: text,
    }),
    states: z.strictObject({ unconfirmed: text, waiting: text, invited: text }),
    sources: z.strictObject({ hero: text, cta: text }),
    /** With `{count}` and `{time}`. */
    letters: z.string().includes("{count}").includes("{time}"),
    letter: z.strictObject({ confirmation: text, invitation: text, link: text, event: text }),
    invitation: text,
    invitation_code: text,
  }),
  try_it: z.strictObject({
    run: text,
    next: text,
    again: text,
    /** The button that copies a request as a command, and what it says afterwards. */
    curl: text,
    copied: text,
    /** The label of the address that the sign-up is for. */
    address: text,
    running: text,
    finished: text,
    /** With `{seconds}`. */
    rate_limited: z.string().includes("{seconds}"),
    failed: text,
    without_scripts: text,
    request: text,
    response: text,
    steps: z.strictObject({ status: text, token: text, stats: text, join: text }),
    totals: text,
    total: text,
    last_7_days: text,
    last_30_days: text,
    by_lang: text,
    by_role: text,
    by_building: text,
    by_source: text,
    /** Markdown: replaces the panel in the page's Markdown. */
    markdown: text,
  }),
});

/** The texts of a language. */
export type Texts = z.infer<typeof textsSchema>;

/**
 * Reads the texts of a language. A file in an upper folder needs only the texts that it changes, so that it still
 * fits when a later version has texts that it does not know.
 */
export async function readTexts(entries: ContentEntry[]): Promise<Texts> {
  let texts: unknown;
  let label = "";
  for (const entry of entries) {
    const { file, text } = await readTextOf([entry]);
    texts = replaceMembers(texts, parseYaml(file, text));
    label = file;
  }
  return checkValue(label, texts, textsSchema);
}

/** Replaces the members of objects at any depth; lists and texts are replaced whole. */
function replaceMembers(under: unknown, over: unknown): unknown {
  if (!isObject(under) || !isObject(over)) return over;
  const changed = Object.entries(over).map(([name, value]) =>
    [name, replaceMembers(under[name], value)] as const
  );
  return { ...under, ...Object.fromEntries(changed) };
}
