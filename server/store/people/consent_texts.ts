/** Stores the wordings that people agreed to, each in the commit of every confirmation that names it. @module */
import { keptConsentTextSchema } from "../../../shared/backup_lines.ts";
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import { type ConsentText, consentTextId } from "../../waitlist/mod.ts";
import { setAuditEntry } from "../audit/mod.ts";
import { addEntry, type Commit, CONSENT_TEXTS, consentTextKey } from "../kv/mod.ts";
import { type EntryBatch, findValue, type Kv, readEntries } from "../kv/mod.ts";

/** Writes a wording in a commit; its id is made of it, so it is written again as it is. */
export function setConsentText(commit: Commit, { text, lang }: ConsentText): void {
  commit.set(consentTextKey(consentTextId({ text, lang })), { text, lang });
}

/** Stores a wording of a backup; false where it is known. */
export async function addConsentText(kv: Kv, wording: ConsentText, audit?: AuditEntry) {
  const { text, lang } = wording;
  const key = consentTextKey(consentTextId(wording));
  return await addEntry(kv, key, { text, lang }, (commit) => setAuditEntry(commit, audit));
}

export const findConsentText = (kv: Kv, id: string) =>
  findValue<ConsentText>(kv, consentTextKey(id));

export function readConsentTexts(kv: Kv): AsyncGenerator<EntryBatch<ConsentText>> {
  return readEntries(kv, {
    ...CONSENT_TEXTS,
    form: { schema: keptConsentTextSchema, of: (id, wording) => ({ id, ...wording }) },
  });
}
