/**
 * The words of a language that belong to no single page: navigation, forms, messages. They stand in
 * `texts.yaml` in the language's folder.
 *
 * @module
 */
import { z } from "zod";

const text = z.string().trim().min(1);
const link = z.strictObject({ label: text, path: z.string().regex(/^\/\S*$/) });

/** What `texts.yaml` holds. Values may use placeholders and Markdown where it says so. */
export const textsSchema = z.strictObject({
  /** What speakers call the language. */
  name: text,
  /** For Open Graph, such as `en_GB`. */
  locale: z.string().regex(/^[a-z]{2}_[A-Z]{2}$/),
  skip: text,
  navigation: z.strictObject({ label: text, links: z.array(link) }),
  footer: z.strictObject({ label: text, note: text, contact: text, links: z.array(link) }),
  contents: text,
  table: text,
  /** On the buttons of code in a guide. */
  copy: text,
  copied: text,
  sign_up: z.strictObject({
    email: text,
    /** Shown by browsers beside their own words for an address that cannot be right. */
    email_hint: text,
    /** Markdown. */
    consent: text,
    submit: text,
    sending: text,
    /** For whoever meets the field that is meant for robots. */
    trap: text,
    done_title: text,
    done_text: text,
    invalid_email: text,
    consent_required: text,
    /** With `{seconds}`. */
    rate_limited: z.string().includes("{seconds}"),
    failed: text,
    /** Markdown: what stands in the place of the form for agents. */
    markdown: text,
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
    /** Markdown: what stands in the place of the panel for agents. */
    markdown: text,
  }),
});

/** The words of a language. */
export type Texts = z.infer<typeof textsSchema>;
