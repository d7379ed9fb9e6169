/** Sign-ups that arrive in bulk, as an import brings them. @module */
import { storeBulkSignUps } from "../../server/store/people/bulk_sign_ups.ts";
import type { BulkSignUp } from "../../server/waitlist/bulk_sign_ups.ts";
import type { ImportedSignUp } from "../../server/waitlist/import_line.ts";
import { mergeImported } from "../../server/waitlist/merge_records.ts";
import { recordId } from "./records.ts";
import { START } from "./service.ts";
import type { Kv } from "../../server/store/kv/engine.ts";

/** The moment of the import, a date-time. */
export const NOW = new Date(START).toISOString();

/** When the people of the import consented. */
const AT = "2026-11-20T08:00:00.000Z";

/** One bulk sign-up, of the address `<name>@example.com`. */
export function bulkSignUp(name: string, answers: Partial<ImportedSignUp> = {}): BulkSignUp {
  const imported = { email: `${name}@example.com`, consentedAt: AT, ...answers };
  return {
    email: imported.email,
    answers: imported,
    consentedAt: imported.consentedAt,
    merge: (record) => mergeImported(record, imported, { at: NOW, id: recordId() }),
  };
}

/** Stores people as an import does. */
export async function storeBulk(kv: Kv, people: BulkSignUp[]): Promise<void> {
  await storeBulkSignUps(kv, people);
}

/** Makes `count` bulk sign-ups of `visitor0@example.com`, `visitor1@example.com`, and so on. */
export const bulkSignUps = (count: number, answers?: Partial<ImportedSignUp>) =>
  Array.from({ length: count }, (_, n) => bulkSignUp(`visitor${n}`, answers));
