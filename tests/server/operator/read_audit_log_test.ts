import assert from "node:assert/strict";
import { writeAuditEntry } from "../../../server/store/audit/mod.ts";
import type { OperatedService } from "../../support/operator.ts";
import { assertOperatorError, readNdjson, test } from "../../support/operator.ts";
import { START } from "../../support/service.ts";
import { Commit } from "../../../server/store/kv/engine.ts";

const DAY = 24 * 60 * 60 * 1000;

/** A log of as many days, one entry a day, the last one now; two operators take turns. */
async function fillLog(service: OperatedService, days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    const at = new Date(START - day * DAY).toISOString();
    const operator = day % 2 === 0 ? "ada" : "grace";
    await writeAuditEntry(service.kv, { at, id: `d${day}`, action: "keysRotate", operator });
  }
}

/** Writes 2,000 entries of another operator, a millisecond apart, before the newest one. */
async function fillWithOthers({ kv }: OperatedService): Promise<void> {
  for (let from = 0; from < 2_000; from += 500) {
    const writes = Array.from({ length: 500 }, (_, n) => {
      const at = new Date(START - 1 - from - n).toISOString();
      return writeAuditEntry(kv, { at, id: "x", action: "keysRotate", operator: "lin" });
    });
    await Promise.all(writes);
  }
}

test("readAuditLog streams the entries of 400 days, the oldest first, and a last line", async (service) => {
  assert.deepEqual(await readNdjson(await service.operate("/audit")), [
    { complete: true, count: 0 },
  ]);
  await fillLog(service, 450);
  const lines = await readNdjson(await service.operate("/audit"));
  assert.deepEqual(lines.at(-1), { complete: true, count: 401 });
  const ids = lines.slice(0, -1).map(({ id }) => id);
  assert.deepEqual(ids, Array.from({ length: 401 }, (_, n) => `d${400 - n}`));
});

test("readAuditLog gives the newest page by page, and reads 2,000 entries at the most for one", async (service) => {
  await fillLog(service, 5);
  const pages: unknown[][] = [];
  for (let before = "";;) {
    const query = `?newest=2${before && `&before=${encodeURIComponent(before)}`}`;
    const lines = await readNdjson(await service.operate(`/audit${query}`));
    const end = lines.pop()!;
    pages.push(lines.map(({ id }) => id));
    if (end.next === undefined) break;
    before = String(end.next);
  }
  assert.deepEqual(pages, [["d0", "d1"], ["d2", "d3"], ["d4"]]);

  await fillWithOthers(service);
  const rare = "?newest=5&operator=grace";
  const [end] = await readNdjson(await service.operate(`/audit${rare}`));
  assert.deepEqual(end, { complete: true, count: 0, next: end?.next });
  const position = encodeURIComponent(String(end.next));
  const rest = await readNdjson(await service.operate(`/audit${rare}&before=${position}`));
  assert.deepEqual(rest.map(({ id }) => id), ["d1", "d3", undefined]);
});

test("readAuditLog names the parameter when it is none", async ({ operate }) => {
  const wrong = [
    ["?since=May", /^The parameter since is 'May'; give a UTC date such as 2026-05-01, or a date/],
    ["?since=", /^The parameter since is ''; give a UTC date/],
    ["?since=2026-02-30", /^The parameter since is '2026-02-30'/],
    ["?operator=Ada", /^The parameter operator is 'Ada'; give the name of an operator\.$/],
    ["?operator=", /^The parameter operator is ''/],
    ["?who=ada", /^The parameter 'who' is not known here; give since, before, operator or newest/],
    ["?newest=1001", /^The parameter newest is '1001'; give a whole number from 1 to 1,000\.$/],
    ["?before=now", /^The parameter before is 'now'; give a UTC date such as 2026-05-01, a/],
  ] as const;
  for (const [query, message] of wrong) {
    const refused = await operate(`/audit${query}`);
    assert.match(await assertOperatorError(refused, 400, "invalid_request"), message);
  }
});

test("readAuditLog answers HEAD without a body, and no other method than GET", async ({ operate }) => {
  const head = await operate("/audit", undefined, { method: "HEAD" });
  assert.equal(head.status, 200);
  assert.equal(head.headers.get("content-type"), "application/x-ndjson");
  assert.equal(head.headers.get("content-length"), null);
  assert.equal(await head.text(), "");
  const post = await operate("/audit", {});
  await assertOperatorError(post, 405, "method_not_allowed");
});

test("readAuditLog names an entry that is none, and gives the others", async (service) => {
  await fillLog(service, 1);
  const at = new Date(START - 1).toISOString();
  await service.kv.commit(new Commit().set(["audit", `${at} x`], { at, action: "keysRotate" }));
  const [first, second, end] = await readNdjson(await service.operate("/audit"));
  assert.equal(first?.id, "d0");
  const reason = "The field id does not have the right form.";
  assert.deepEqual(second, { unreadable: { key: ["audit", `${at} x`], reason } });
  assert.deepEqual(end, { complete: true, count: 1 });
});

test("readAuditLog says where the log goes on, though an entry of a full page cannot be read", async (service) => {
  await fillLog(service, 2);
  await fillWithOthers(service);
  const at = new Date(START - 3).toISOString();
  await service.kv.commit(new Commit().set(["audit", `${at} x`], { at, action: "keysRotate" }));
  const rare = "?newest=5&operator=grace";
  const [unreadable, end] = await readNdjson(await service.operate(`/audit${rare}`));
  assert.deepEqual(Object.keys(unreadable!), ["unreadable"]);
  assert.ok(end?.next);
  const position = encodeURIComponent(String(end.next));
  const rest = await readNdjson(await service.operate(`/audit${rare}&before=${position}`));
  assert.deepEqual(rest.map(({ id }) => id), ["d1", undefined]);
});
