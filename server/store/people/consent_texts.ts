/**
 * The wordings of consent to which people agreed; in the store they are called consent texts. The commit of a
 * confirmation stores the wording that the person saw, and the proof of consent in the record names this wording by its
 * id. @module
 */
import { storedConsentTextSchema } from "../../../shared/backup_lines.ts";
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import { type ConsentText, consentTextId } from "../../waitlist/mod.ts";
import { setAuditEntry } from "../audit/mod.ts";
import {
  addEntry,
  type Commit,
  CONSENT_TEXTS,
  consentTextKey,
  type EntryBatch,
  findValue,
  type Kv,
  readEntries,
} from "../kv/mod.ts";

/** Adds a wording to a commit. The id of a wording is its hash, so writing a known wording again changes nothing. */
export function setConsentText(commit: Commit, { text, lang }: ConsentText): void {
  const id = consentTextId({ text, lang });
  commit.set(consentTextKey(id), { text, lang });
}

/** Stores a wording of a backup. @returns whether the wording is new in this store */
export async function addConsentText(
  kv: Kv,
  wording: ConsentText,
  audit?: AuditEntry,
): Promise<boolean> {
  const { text, lang } = wording;
  const key = consentTextKey(consentTextId(wording));
  return await addEntry(kv, key, { text, lang }, (commit) => setAuditEntry(commit, audit));
}

/** Finds a wording by its id. */
export const findConsentText = (kv: Kv, id: string): Promise<ConsentText | undefined> =>
  findValue<ConsentText>(kv, consentTextKey(id));

/** Reads all wordings, a batch at a time. */
export function readConsentTexts(kv: Kv): AsyncGenerator<EntryBatch<ConsentText>> {
  return readEntries(kv, {
    ...CONSENT_TEXTS,
    form: {
      schema: storedConsentTextSchema,
      toForm: (id, wording) => ({ id, ...wording }),
    },
  });
}
