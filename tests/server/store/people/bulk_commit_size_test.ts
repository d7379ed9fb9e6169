/** KV takes 81,920 bytes of keys in a commit: imports and restores of the longest addresses fit, too. */
import assert from "node:assert/strict";
import { storeBulkSignUps } from "../../../../server/store/people/bulk.ts";
import { LOCAL_ENGINE } from "../../../../server/store/kv/open.ts";
import { SCHEMA_VERSION } from "../../../../server/store/kv/schema.ts";
import type { BulkSignUp } from "../../../../server/waitlist/bulk_sign_ups.ts";
import type { ImportedSignUp } from "../../../../server/waitlist/import_line.ts";
import type { SignUpRecord } from "../../../../server/waitlist/record.ts";
import { mergeImported, mergeRestored } from "../../../../server/waitlist/record.ts";
import { assertListsAgree } from "../../../support/lists.ts";
import { recordId, storedIds } from "../../../support/records.ts";
import { START } from "../../../support/service.ts";

const EMAILS = Array.from({ length: 300 }, (_, n) => `${n}@example.com`.padStart(254, "a"));
const AT = new Date(START).toISOString();
/** The longest id of a wave. */
const WAVE = "w".repeat(100);

async function store(kv: Deno.Kv, merge: (email: string) => BulkSignUp["merge"]): Promise<void> {
  await kv.atomic().check({ key: ["schema"], versionstamp: null })
    .set(["schema"], { version: SCHEMA_VERSION }).commit();
  const bulkSignUps = EMAILS.map((email) => ({ email, answers: {}, merge: merge(email) }));
  await storeBulkSignUps({ kv, engine: LOCAL_ENGINE }, bulkSignUps);
  assert.equal(Object.keys(await storedIds(kv)).length, EMAILS.length);
  await assertListsAgree(kv);
}

/** People who were asked to confirm, and whose letters the mail server took. */
const restoreUnconfirmed = (): BulkSignUp["merge"] => {
  const restored: SignUpRecord = {
    id: recordId(),
    createdAt: AT,
    consentedAt: AT,
    updatedAt: AT,
    lang: "en",
    state: "unconfirmed",
    confirmations: { count: 1, lastAt: AT, takenAt: AT },
  };
  return (existing) => mergeRestored(existing, restored);
};

Deno.test("storeBulkSignUps() restores the longest addresses of people who have not confirmed", async () => {
  using kv = await Deno.openKv(":memory:");
  await store(kv, restoreUnconfirmed);
});

Deno.test("storeBulkSignUps() imports a wave over the longest addresses of people who have not confirmed", async () => {
  using kv = await Deno.openKv(":memory:");
  await store(kv, restoreUnconfirmed);
  await store(kv, (email) => {
    const imported: ImportedSignUp = {
      email,
      consentedAt: AT,
      state: "invited",
      invitedAt: AT,
      invitationCode: "code",
      wave: WAVE,
    };
    return (existing) => mergeImported(existing, imported, { at: AT, id: recordId() });
  });
});
