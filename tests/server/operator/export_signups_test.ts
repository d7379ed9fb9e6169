import assert from "node:assert/strict";
import { eraseSignUp } from "../../../server/store/people/erasure.ts";
import { storeSignUps } from "../../../server/store/people/sign_ups.ts";
import { assertRefused, type OperatedService, OPERATOR_KEY } from "../../support/operator.ts";
import { readAudit, readNdjson, test, withoutPlaceUrls } from "../../support/operator.ts";
import { recordId, storeSignUp } from "../../support/records.ts";
import { START } from "../../support/service.ts";
import { Commit, type Kv } from "../../../server/store/kv/engine.ts";

const START_LINE = { startedAt: "2026-11-21T12:00:20.000Z" };
const AT = "2026-11-20T09:00:00.000Z";

async function exportLines(service: OperatedService, body: unknown = {}) {
  return await readNdjson(await service.operate("/signups/export", body));
}

/** Begins an export without a check against the document, which would read it to its end. */
const beginExport = (service: OperatedService) =>
  service.request("/operator/v1/signups/export", {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${OPERATOR_KEY}` },
    body: "{}",
  });

/** Addresses in the order in which KV keeps them. */
function emails(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `v${String(n).padStart(5, "0")}@example.com`);
}

async function storeMany(kv: Kv, count: number): Promise<void> {
  const all = emails(count).map((email) => ({ signUp: { email }, at: AT, id: recordId() }));
  for (let from = 0; from < count; from += 99) await storeSignUps(kv, all.slice(from, from + 99));
}

test("exportSignups streams all records in the order of their addresses, between a first line and a last line", async (service) => {
  assert.deepEqual(await exportLines(service), [
    START_LINE,
    { complete: true, count: 0, erasedMeanwhile: 0 },
  ]);
  await storeSignUp(service.kv, { email: "zoe@example.com", lang: "de", source: "cta" }, AT);
  await storeSignUp(service.kv, { email: "=ada@example.com" }, AT);
  await service.kv.commit(new Commit().set(["sign_up", "imp@example.com"], {
    createdAt: AT,
    consentedAt: AT,
    updatedAt: AT,
    lang: "en",
    state: "waiting",
    role: "engineer",
    building: "office",
    // Not exported, as an import would refuse it.
    letters: [AT],
    linkAt: AT,
  }));
  const times = { createdAt: AT, consentedAt: AT, updatedAt: AT, state: "waiting" };
  const response = await service.operate("/signups/export", {});
  assert.equal(response.headers.get("content-type"), "application/x-ndjson");
  assert.equal(response.headers.get("ratelimit-policy"), "600;w=60");
  const lines = await readNdjson(response);
  assert.deepEqual(lines, [
    START_LINE,
    { email: "=ada@example.com", ...times, lang: "en" },
    { email: "imp@example.com", ...times, lang: "en", role: "engineer", building: "office" },
    { email: "zoe@example.com", ...times, lang: "de", source: "cta" },
    { complete: true, count: 3, erasedMeanwhile: 0 },
  ]);
  const linked = await readNdjson(await service.operate("/signups/export", { links: true }));
  assert.deepEqual(withoutPlaceUrls(linked), lines);
});

test(
  "exportSignups streams only people who have the given language or state, or who signed up since the given time",
  async (service, t) => {
    const people = [
      ["a", "de", "2026-04-30T23:59:59.999Z"],
      ["b", "de", "2026-05-01T00:00:00.000Z"],
      ["c", "en", "2026-05-02T10:00:00.000Z"],
      ["d", "de", "2026-05-02T10:00:00.000Z"],
      ["e", "en", "2026-05-02T10:00:00.500Z"],
    ] as const;
    for (const [name, lang, at] of people) {
      await storeSignUp(service.kv, { email: `${name}@example.com`, lang }, at);
    }
    await service.operate("/waves", {
      wave: "first",
      emails: ["d@example.com"],
      link: "https://app.example.com/",
      letters: false,
    });
    const selections = [
      [{ lang: "de" }, "abd"],
      [{ state: "invited" }, "d"],
      [{ since: "2026-05-01" }, "bcde"],
      [{ since: "2026-05-02T10:00:00.000Z", lang: "en" }, "ce"],
      [{ since: "2026-05-02T10:00:00.001Z" }, "e"],
      [{ since: "2026-05-02T10:00:00Z" }, "cde"],
      [{ since: "2026-05-02T10:00:00.5Z" }, "e"],
    ] as const;
    for (const [body, names] of selections) {
      await t.step(JSON.stringify(body), async () => {
        const records = (await exportLines(service, body)).slice(1, -1);
        assert.equal(records.map(({ email }) => String(email)[0]).join(""), names);
      });
    }
  },
);

test(
  "exportSignups streams only people who fit all filters of the request",
  async (service, t) => {
    const { kv } = service;
    const times = { consentedAt: AT, updatedAt: AT };
    const lastLetters = { invitation: { putAt: AT, refusedAt: AT } };
    const people: [name: string, record: Record<string, unknown>][] = [
      ["ada.lovelace", { role: "architect", lang: "de", state: "waiting" }],
      ["bo", { role: "architect", lang: "en", source: "hero", state: "waiting" }],
      ["cy", {
        building: "office",
        lang: "de",
        source: "cta",
        state: "invited",
        wave: "first",
        lastLetters,
      }],
      ["dee", { lang: "de", state: "waiting", undeliverableAt: AT }],
      ["eve", { lang: "de", state: "waiting", referralCode: "abcdefghij", id: "e".repeat(22) }],
    ];
    const commit = new Commit();
    for (const [at, [name, record]] of people.entries()) {
      const createdAt = `2026-05-0${at + 1}T10:00:00.000Z`;
      commit.set(["sign_up", `${name}@example.com`], { createdAt, ...times, ...record });
    }
    await kv.commit(commit.set(["referrer", "e".repeat(22)], { referrals: 2 }));
    const selections = [
      [{ role: "architect" }, "ab"],
      [{ role: "architect", lang: "de" }, "a"],
      [{ source: "hero" }, "b"],
      [{ building: "office" }, "c"],
      [{ wave: "first" }, "c"],
      [{ wave: "other" }, ""],
      [{ reached: "invited" }, "c"],
      [{ mark: "undeliverable" }, "d"],
      [{ refusedLetter: true }, "c"],
      [{ mark: "undeliverable", state: "invited" }, ""],
      [{ search: "LOVELACE" }, "a"],
      [{ before: "2026-05-03" }, "ab"],
      [{ since: "2026-05-02", before: "2026-05-04" }, "bc"],
      [{ referrals: 2 }, "e"],
      [{ referrals: 3 }, ""],
    ] as const;
    for (const [body, names] of selections) {
      await t.step(JSON.stringify(body), async () => {
        const lines = await exportLines(service, body);
        const found = lines.slice(1, -1).map(({ email }) => String(email)[0]).join("");
        assert.equal(found, names);
        assert.equal(lines.at(-1)?.count, names.length);
      });
    }
    const log = JSON.stringify(await readAudit(service));
    assert.match(log, /"details":\{"lang":"de","role":"architect","continued":false\}/);
    assert.match(log, /"details":\{"searched":true,"continued":false\}/);
    assert.doesNotMatch(log, /lovelace/i);
  },
);

test(
  "exportSignups continues after the address in `after`, with pages of any size",
  async (service, t) => {
    await storeMany(service.kv, 1_500);
    const all = emails(1_500);
    for (const from of [0, 1, 199, 200, 201, 1_299, 1_300, 1_499, 1_500]) {
      await t.step(`from ${from}`, async () => {
        const lines = await exportLines(service, from === 0 ? {} : { after: all[from - 1] });
        assert.deepEqual(lines.slice(1, -1).map(({ email }) => email), all.slice(from));
        assert.equal(lines.at(-1)?.count, 1_500 - from);
      });
    }
    // The address need not be there any more, nor ever have been.
    await eraseSignUp(service.kv, all[700]!, { now: START, random: () => new Uint8Array(32) });
    for (const after of [all[700], `${all[700]}zzz`]) {
      await t.step(`after ${after}`, async () => {
        const lines = await exportLines(service, { after });
        assert.equal(lines[1]?.email, all[701]);
      });
    }
  },
);

test("exportSignups counts the people who were erased since the first part of the export", async (service) => {
  await storeMany(service.kv, 2_000);
  const [first, second, third] = emails(2_000);
  const erase = (email = "") =>
    eraseSignUp(service.kv, email, { now: service.clock.now, random: () => new Uint8Array(32) });
  await erase(first);
  service.clock.now += 1_000;
  const response = await beginExport(service);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = (await reader.read()).value ?? "";
  const { startedAt } = JSON.parse(text);
  text += (await reader.read()).value;
  assert.ok(text.includes(String(second)), "it is on its way");
  service.clock.now += 1_000;
  await erase(second);
  for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value;
  const end = JSON.parse(text.trimEnd().split("\n").at(-1)!);
  assert.deepEqual(end, { complete: true, count: 1_999, erasedMeanwhile: 1 });

  // A later part counts from the beginning of the first.
  await erase(third);
  service.clock.now += 1_000;
  const rest = await exportLines(service, { after: "v01998@example.com", startedAt });
  assert.deepEqual(rest[0], { startedAt });
  assert.deepEqual(rest.at(-1), { complete: true, count: 1, erasedMeanwhile: 2 });
});

test("exportSignups ends without the line that marks a complete export when KV fails during the export", async (service) => {
  await storeMany(service.kv, 600);
  let lists = 0;
  const list = service.kv.list.bind(service.kv);
  service.kv.list = ((...args: Parameters<typeof list>) => {
    if (++lists > 1) throw new Error("the disk is gone");
    return list(...args);
  }) as typeof list;
  const response = await beginExport(service);
  await assert.rejects(response.text(), /the disk is gone/);
  // The second page, and one more list, which tells that no entry is the cause.
  assert.equal(lists, 3);
  const logged = service.log.find(({ event }) =>
    event ===
      "an answer broke off after its status was sent, so the client got only a part of the answer"
  );
  assert.match(String(logged?.error), /the disk is gone/);
  assert.equal(logged?.operation, "operator.exportSignups");
  assert.equal(logged?.requestId, response.headers.get("x-request-id"));
  assert.ok(!JSON.stringify(service.log).includes("example.com"));
});

test("exportSignups answers 400 and names the field when a field of its body is wrong", async (service) => {
  await assertRefused(service, "/signups/export", [
    [{ lang: "fr" }, /^Field 'lang' is 'fr'; give 'en' or 'de'\.$/],
    [{ since: "May" }, /^Field 'since' is 'May'; give a UTC date such as 2026-05-01, or/],
    [{ since: "2026-02-30" }, /^Field 'since' is '2026-02-30'/],
    [{ after: 7 }, /^Field 'after' is 7; give the address/],
    // KV could not hold it as a key.
    [{ after: "a".repeat(3_000) }, /^Field 'after' is 'a{40}…'; give the address/],
    [{ startedAt: "now" }, /^Field 'startedAt' is 'now'; give the date-time/],
    [{ format: "csv" }, /^Field 'format' is not known here/],
  ]);
});
