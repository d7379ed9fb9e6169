import assert from "node:assert/strict";
import { INVITING } from "../../../support/invitations.ts";
import { test } from "../../../support/memory_kv.ts";
import { hashAddress } from "../../../../server/store/people/erasure_marks.ts";
import { readSchema } from "../../../../server/store/kv/schema.ts";
import { erasureMarksOf } from "../../../../server/waitlist/erasure.ts";

const ADA = "ada@example.com";
const { random } = INVITING;

test("hashAddress() makes one erasure key when several addresses are hashed at the same time", async (kv) => {
  const emails = [ADA, "bo@example.com", ADA];
  const hashes = await Promise.all(emails.map((email) => hashAddress(kv, email, random)));
  const { erasureKeys } = await readSchema(kv);
  assert.deepEqual(hashes, emails.map((email) => erasureMarksOf(erasureKeys!, email)[0]));
  assert.equal(hashes[0], hashes[2]);
});
