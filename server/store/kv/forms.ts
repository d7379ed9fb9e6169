/**
 * Checks what is read from the store: an entry whose value does not have the form of its list counts as one that the
 * engine cannot read. So a value that a fault or an earlier program has left fails only what needs this entry, and no
 * other entry of the same read. The lists whose keys say everything have no form here.
 * @module
 */
import { z } from "zod";
import { storedErasureMarkSchema, storedLetterLimitSchema } from "../../../shared/backup_lines.ts";
import { storedSignUpSchema, storedWaveSchema } from "../../../shared/backup_lines.ts";
import type { Entry, Key, Kv, ListOptions, MaybeEntry, Selector, Unreadable } from "./engine.ts";

/** What the code needs of an item to work on it, to move it and to remove it. */
const outboxItemSchema = z.looseObject({
  email: z.string(),
  recordId: z.string(),
  message: z.union([
    z.looseObject({ letter: z.string() }),
    z.looseObject({ event: z.string(), person: z.looseObject({ email: z.string() }) }),
  ]),
  queue: z.string(),
  putAt: z.number(),
  dueAt: z.number(),
  tries: z.number(),
});

/** By the first part of the key. */
const FORMS: Record<string, z.ZodType> = {
  // The next sign-up, or a repair, gives a record what it lacks.
  sign_up: storedSignUpSchema.partial(),
  erased: storedErasureMarkSchema.shape.erasedAt,
  brake: storedLetterLimitSchema.omit({ mailbox: true }),
  wave: storedWaveSchema,
  wave_named: z.string(),
  outbox: outboxItemSchema,
  root_key: z.looseObject({ keyId: z.string(), secret: z.string(), signsFrom: z.number() }),
  statistics: z.number(),
  new_letters: z.array(z.tuple([z.string(), z.string(), z.string(), z.number()])),
};

/** Says why a value does not have a form, if it does not. */
export function formFault(value: unknown, form: z.ZodType | undefined): string | undefined {
  const issue = form?.safeParse(value).error?.issues[0];
  if (!issue) return undefined;
  const subject = issue.path.length > 0 ? `field ${issue.path.join(".")}` : "value";
  return `The ${subject} does not have the right form.`;
}

/** Gives a KV whose reads tell of each entry without its form. */
export function checkForms(kv: Kv): Kv {
  function check<E extends MaybeEntry>(entry: E | Unreadable): E | Unreadable {
    if ("fault" in entry || entry.version === null) return entry;
    const fault = formFault(entry.value, FORMS[entry.key[0]!]);
    return fault === undefined ? entry : { key: entry.key, fault };
  }
  return {
    ...kv,
    get: async <T>(keys: readonly Key[]) => (await kv.get<T>(keys)).map(check<MaybeEntry<T>>),
    list: async <T>(selector: Selector, options: ListOptions) =>
      (await kv.list<T>(selector, options)).map(check<Entry<T>>),
  };
}
