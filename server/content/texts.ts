/**
 * The texts of a language that several pages share: navigation, forms, messages. They are in `texts.yaml`
 * in the language's folder.
 *
 * @module
 */
import { z } from "zod";

const text = z.string().trim().min(1);
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
    done_text: text,
    /** In the place of the two above while letters are sent. */
    letter_title: text,
    /** With `{email}`. */
    letter_text: z.string().includes("{email}"),
    invalid_email: text,
    consent_required: text,
    /** With `{seconds}`. */
    rate_limited: z.string().includes("{seconds}"),
    failed: text,
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
    again: text,
    running: text,
    /** With `{count}`. */
    finished: z.string().includes("{count}"),
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
