/** What becomes of a batch where an entry that it reads does not have its form. @module */
import assert from "node:assert/strict";
import { base64url } from "jose";
import { erasureMarksOf } from "../../../../server/waitlist/erasure.ts";
import { backup, begin, endOf, send } from "../../../support/backups.ts";
import { LINK } from "../../../support/invitations.ts";
import { listAll, openMemoryKv } from "../../../support/memory_kv.ts";
import {
  lastLineOf,
  type OperatedService,
  startOperatedService,
  test,
} from "../../../support/operator.ts";
import {
  createTestClient,
  ndjson,
  signUp,
  START,
  WITH_MAIL,
  withEvents,
} from "../../../support/service.ts";
import { Commit, type Key } from "../../../../server/store/kv/engine.ts";
import { readOne } from "../../../../server/store/kv/calls.ts";
import type { StoredSchema } from "../../../../server/store/kv/schema.ts";

const AT = new Date(START).toISOString();
const BAD = "bad@example.com";
const EMAILS = [BAD, ...[..."abcdefgh"].map((name) => `${name}@example.com`)];

/** Signs people up who arrive together, and so share a commit. */
const joinAll = (service: OperatedService): Promise<number[]> =>
  Promise.all(EMAILS.map((email) => signUp(service, email)));

/** The hash by which the store names an address, or a mailbox. */
async function hashOf({ kv }: OperatedService, text: string): Promise<string> {
  const { value } = await readOne<StoredSchema>(kv, ["schema"]);
  return erasureMarksOf(
    base64url.decode(value!.erasureKeys!),
    text,
  )[0]!;
}

const put = ({ kv }: OperatedService, key: Key, value: unknown) =>
  kv.commit(new Commit().set(key, value));

const allOk = EMAILS.map(() => 200);
const badAlone = [500, ...allOk.slice(1)];

for (const mark of [{ erasedAt: AT, confirmations: { count: 1, lastAt: AT } }, 7, "yesterday"]) {
  Deno.test(`joinWaitlist() answers 200 to all sign-ups of one commit when the stored erasure mark of one address is ${JSON.stringify(mark)}`, async () => {
    await using service = await startOperatedService(withEvents());
    await signUp(service, BAD);
    await service.operate("/signups/erase", { email: BAD });
    await put(service, ["erased", await hashOf(service, BAD)], mark);
    assert.deepEqual(await joinAll(service), allOk);
    assert.deepEqual(await listAll(service.kv, { prefix: ["erased"] }), []);
  });
}

const RECORDS = ["text", 5, [], { lang: "de", createdAt: 5 }, { lang: "de", letters: "none" }];
for (const record of RECORDS) {
  Deno.test(`joinWaitlist() answers 500 to a person whose stored record is ${JSON.stringify(record)}, and 200 to the other people of the same commit`, async () => {
    await using service = await startOperatedService(WITH_MAIL);
    await put(service, ["sign_up", BAD], record);
    assert.deepEqual(await joinAll(service), badAlone);
    const verified = await lastLineOf(service, "/counters/verify");
    const { unreadable } = verified as { unreadable: { key: string[] }[] };
    assert.deepEqual(unreadable.map(({ key }) => key), [["sign_up", BAD]]);
    const erased = await service.operate("/signups/erase", { email: BAD });
    assert.equal((await erased.json()).outcome, "erased");
    assert.deepEqual(await joinAll(service), allOk);
  });
}

Deno.test("joinWaitlist() answers 500 to a person whose stored letter limit has a wrong form, and 200 to the other people of the same commit", async () => {
  await using service = await startOperatedService(WITH_MAIL);
  await signUp(service, BAD);
  await service.operate("/signups/erase", { email: BAD });
  await put(service, ["brake", await hashOf(service, `mailbox ${BAD}`)], { letters: "many" });
  assert.deepEqual(await joinAll(service), badAlone);
});

Deno.test("listOutbox leaves out an item that has a wrong form, and the erasure of the person removes the item", async () => {
  await using service = await startOperatedService(WITH_MAIL);
  assert.deepEqual(await joinAll(service), allOk);
  // To look at the letters makes items of them.
  await service.operate("/outbox/list", {});
  const items = await listAll<{ email: string }>(service.kv, { prefix: ["outbox"] });
  const { key } = items.find(({ value }) => value.email === BAD)!;
  await put(service, key, { email: BAD, queue: "letters" });
  const { items: listed } = await (await service.operate("/outbox/list", {})).json();
  assert.equal(listed.length, EMAILS.length - 1);
  await service.operate("/signups/erase", { email: BAD });
  assert.equal((await readOne(service.kv, key)).value, null, "the item has the address");
});

test("startWave invites the other people of a list of addresses when the record of one person has a wrong form", async (service) => {
  assert.deepEqual(await joinAll(service), allOk);
  await put(service, ["sign_up", BAD], { lang: 5 });
  await put(service, ["wave_named", EMAILS[1]!], 5);
  const wave = { wave: "w", emails: EMAILS, link: LINK, letters: false };
  const started = await (await service.operate("/waves", wave)).json();
  assert.deepEqual([started.invited, started.notInvited], [
    EMAILS.length - 2,
    [{ email: BAD, reason: "unreadable" }],
  ]);
});

test("restoreLines() stores all erasure marks of a backup when an erasure mark in the store has a wrong form", async (old) => {
  const marks = ["a", "b"].map((letter) => letter.repeat(43));
  for (const mark of marks) await put(old, ["erased", mark], AT);
  const lines = await backup(old);
  assert.deepEqual(endOf(lines).counts, { ...endOf(lines).counts as object, erasures: 2 });

  await using service = await startOperatedService();
  await put(service, ["erased", marks[0]!], 5);
  await begin(service, lines);
  assert.equal((await send(service, lines)).status, 200);
  const stored = await listAll(service.kv, { prefix: ["erased"] });
  assert.deepEqual(stored.map(({ value }) => value), [AT, AT]);
});

test("importSignups refuses a person whose stored erasure mark has a wrong form, and stores all other people", async (service) => {
  await signUp(service, BAD);
  await service.operate("/signups/erase", { email: BAD });
  await put(service, ["erased", await hashOf(service, BAD)], 5);
  const lines = EMAILS.map((email) => ({ email, consentedAt: AT }));
  const imported = await service.operate("/signups/import", undefined, ndjson(lines));
  const { new: stored, refused } = await imported.json();
  assert.deepEqual({ stored, refused }, { stored: EMAILS.length - 1, refused: 1 });
});

Deno.test("listClients returns all clients when the stored last use of a client cannot be read", async () => {
  const kv = await openMemoryKv();
  await using service = await startOperatedService({}, kv);
  const { clientId } = await createTestClient(service);
  // The value is no JSON.
  await kv.raw.set(["client_use", clientId], new TextEncoder().encode("{"));
  const { clients } = await (await service.operate("/clients", undefined)).json();
  assert.equal(clients.length, 1);
});
