/**
 * Consent texts: the texts to which people agreed. The commit of a confirmation stores the consent text that the person
 * saw, and the proof of consent in the record names this text by its id. @module
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

/**
 * Adds a consent text to a commit. The id of a consent text is its hash, so that writing a known text again changes
 * nothing.
 */
export function setConsentText(commit: Commit, { text, lang }: ConsentText): void {
  const id = consentTextId({ text, lang });
  commit.set(consentTextKey(id), { text, lang });
}

/** Stores a consent text of a backup. @returns whether the consent text is new in this store */
export async function addConsentText(
  kv: Kv,
  consentText: ConsentText,
  audit?: AuditEntry,
): Promise<boolean> {
  const { text, lang } = consentText;
  const key = consentTextKey(consentTextId(consentText));
  return await addEntry(kv, key, { text, lang }, (commit) => setAuditEntry(commit, audit));
}

/** Finds a consent text by its id. */
export const findConsentText = (kv: Kv, id: string): Promise<ConsentText | undefined> =>
  findValue<ConsentText>(kv, consentTextKey(id));

/** Reads all consent texts, a batch at a time. */
export function readConsentTexts(kv: Kv): AsyncGenerator<EntryBatch<ConsentText>> {
  return readEntries(kv, {
    ...CONSENT_TEXTS,
    form: {
      schema: storedConsentTextSchema,
      toForm: (id, consentText) => ({ id, ...consentText }),
    },
  });
}
