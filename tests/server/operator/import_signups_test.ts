import assert from "node:assert/strict";
import { MAX_ITEMS_IN_BATCH } from "../../../server/operator/line_batches.ts";
import type { OperatedService } from "../../support/operator.ts";
import { assertOperatorError, readAudit, test } from "../../support/operator.ts";
import { assertNothingStored, readCounts, recount, storedSignUps } from "../../support/records.ts";
import { listAll } from "../../support/memory_kv.ts";
import { json, ndjson } from "../../support/service.ts";

/** A body of text that breaks off behind it. */
function cutBody(text: string): ReadableStream<Uint8Array<ArrayBuffer>> {
  let sent = false;
  return new ReadableStream({
    pull(controller) {
      if (sent) return controller.error(new Error("The connection was reset"));
      controller.enqueue(new TextEncoder().encode(text));
      sent = true;
    },
  });
}

const ERASED =
  "The address was erased, and the consent (consentedAt) is older; only its owner can sign it up again.";

const CONSENT = "2024-05-01T09:30:00.000Z";

async function importLines(service: OperatedService, lines: unknown[], query = "") {
  const response = await service.operate(`/signups/import${query}`, undefined, ndjson(lines));
  assert.equal(response.status, 200);
  return await response.json();
}

const visitor = (n: number, answers = {}) => ({
  email: `visitor${n}@example.com`,
  consentedAt: CONSENT,
  ...answers,
});

test("importSignups adds and merges sign-ups, names refused lines by number, and changes nothing in a second run", async (service) => {
  await service.request("/api/v1/waitlist", json({ email: "visitor1@example.com", consent: true }));
  await service.request("/api/v1/waitlist", json({ email: "gone@example.com", consent: true }));
  await service.operate("/signups/erase", { email: "gone@example.com" });
  const lines = [
    visitor(1, { role: "engineer" }),
    "",
    { email: "VISITOR2@example.com", consentedAt: CONSENT, createdAt: "2024-04-30T00:00:00Z" },
    "no JSON",
    { ...visitor(3), email: "gone@example.com" },
    visitor(2),
    { email: "visitor4@example.com" },
    `{"email":"${"x".repeat(66_000)}"}`,
  ];
  const refusals = [
    { line: 4, reason: "The line is not valid JSON." },
    { line: 5, reason: ERASED },
    { line: 7, reason: "There is no consent time (consentedAt)." },
    { line: 8, reason: "The line is longer than 65536 bytes." },
  ];
  const first = { new: 1, merged: 1, unchanged: 1, refused: 4, refusals };
  assert.deepEqual(await importLines(service, lines), first);

  const now = "2026-11-21T12:00:20.000Z";
  const records = await storedSignUps(service.kv);
  assert.deepEqual(records, {
    "visitor1@example.com": {
      createdAt: CONSENT,
      consentedAt: now,
      updatedAt: now,
      lang: "en",
      role: "engineer",
      state: "waiting",
      imported: { at: now, operator: "operator", createdAt: CONSENT },
    },
    "visitor2@example.com": {
      createdAt: "2024-04-30T00:00:00.000Z",
      consentedAt: CONSENT,
      updatedAt: now,
      lang: "en",
      state: "waiting",
      imported: {
        at: now,
        operator: "operator",
        createdAt: "2024-04-30T00:00:00.000Z",
        consentedAt: CONSENT,
      },
    },
  });
  const counts = await readCounts(service.kv, service.clock.now);
  assert.deepEqual(counts, await recount(service.kv, service.clock.now));

  service.clock.now += 60_000;
  const second = { new: 0, merged: 0, unchanged: 3, refused: 4, refusals };
  assert.deepEqual(await importLines(service, lines), second);
  assert.deepEqual(await storedSignUps(service.kv), records);
  assert.ok(!JSON.stringify(service.log).includes("example.com"), "no address in the log");
});

test("importSignups writes nothing when it is a dry run", async (service) => {
  const lines = [visitor(1), visitor(2, { lang: "fr" })];
  const { refusals, ...counts } = await importLines(service, lines, "?dryRun=true");
  assert.deepEqual(counts, { new: 1, merged: 0, unchanged: 0, refused: 1 });
  assert.equal(refusals[0].line, 2);
  await assertNothingStored(service.kv);
  const wrong = await service.operate("/signups/import?dryRun=yes", undefined, ndjson([]));
  assert.match(await assertOperatorError(wrong, 400, "invalid_request"), /dryRun/);
});

test("importSignups counts the rows in its audit entry that the caller could not read", async (service) => {
  const lines = [visitor(1), visitor(2, { lang: "fr" })];
  const { refused, refusals } = await importLines(service, lines, "?unread=3");
  assert.deepEqual([refused, refusals.length], [1, 1]);
  const [entry] = await readAudit(service);
  assert.deepEqual(entry?.details, { new: 1, merged: 0, unchanged: 0, refused: 4, complete: true });
  await importLines(service, lines, "?unread=3");
  assert.equal((await readAudit(service)).length, 1, "this import changed nobody");
  await importLines(service, [], "?unread=3&dryRun=true");
  assert.equal((await readAudit(service)).length, 1, "a dry run");
  service.clock.now += 1_000;
  await importLines(service, [], "?unread=2");
  const [, reported] = await readAudit(service);
  const none = { new: 0, merged: 0, unchanged: 0 };
  assert.deepEqual(reported?.details, { ...none, refused: 2, complete: true });
  const wrong = await service.operate("/signups/import?unread=-1", undefined, ndjson([]));
  assert.match(await assertOperatorError(wrong, 400, "invalid_request"), /unread/);
});

test("importSignups counts all refused lines, and gives the reason for at most 10,000 of them", async (service) => {
  const { refused, refusals } = await importLines(service, Array(10_001).fill("{}"));
  assert.equal(refused, 10_001);
  assert.equal(refusals.length, 10_000);
});

test("importSignups stores the lines that arrive before the body is cut off, and asks the caller to send the body again", async (service) => {
  const visitors = Array.from({ length: 2 * MAX_ITEMS_IN_BATCH + 1_000 }, (_, n) => visitor(n));
  const text = visitors.map((each) => `${JSON.stringify(each)}\n`).join("");
  const cut = await service.operate("/signups/import", undefined, ndjson(cutBody(text)));
  assert.equal(cut.headers.get("retry-after"), "1");
  const message = await assertOperatorError(cut, 408, "body_cut");
  assert.equal(message, "The body did not arrive whole; send it again.");
  const kept = Object.keys(await storedSignUps(service.kv)).length;
  assert.equal(kept, 2 * MAX_ITEMS_IN_BATCH);
  const [entry, ...others] = await readAudit(service);
  assert.deepEqual([entry?.action, others], ["importSignups", []]);
  assert.deepEqual(entry?.details, {
    new: kept - MAX_ITEMS_IN_BATCH,
    merged: 0,
    unchanged: 0,
    refused: 0,
  });
  const { refusals: _, ...counts } = await importLines(service, visitors);
  assert.deepEqual(counts, { new: 1_000, merged: 0, unchanged: kept, refused: 0 });
});

test("importSignups accepts only NDJSON", async ({ kv, operate }) => {
  const asJson = await operate("/signups/import", {});
  const message = await assertOperatorError(asJson, 415, "unsupported_media_type");
  assert.equal(message, "Send Content-Type application/x-ndjson.");
  await assertNothingStored(kv);
});

// server/docs/operate.md, "Roll back": the older program imports the export of the newer one over an older backup.
// server/docs/operate.md, "Roll back": the older program imports the export of the newer one over an older backup.
test("importSignups accepts an erased person who has consented after the erasure, and removes the erasure mark", async (service) => {
  const email = "again@example.com";
  await service.request("/api/v1/waitlist", json({ email, consent: true }));
  await service.operate("/signups/erase", { email });
  const consentedAt = new Date(service.clock.now + 1).toISOString();
  service.clock.now += 60_000;
  const { refusals, ...counts } = await importLines(service, [{ email, consentedAt }]);
  assert.deepEqual([counts.new, refusals], [1, []]);
  assert.deepEqual(await listAll(service.kv, { prefix: ["erased"] }), []);
});
