import assert from "node:assert/strict";
import { writeAuditEntry } from "../../../server/store/audit.ts";
import {
  assertOperatorError,
  type OperatedService,
  readAudit,
  readNdjson,
  startOperatedService,
} from "../../support/operator.ts";
import { START } from "../../support/service.ts";

const DAY = 24 * 60 * 60 * 1000;

/** A log of as many days, one entry a day, the last one now; two operators take turns. */
async function fillLog(service: OperatedService, days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    const at = new Date(START - day * DAY).toISOString();
    const operator = day % 2 === 0 ? "ada" : "grace";
    await writeAuditEntry(service.kv, { at, id: `d${day}`, action: "keysRotate", operator });
  }
}

Deno.test("readAuditLog streams the entries of 400 days, the oldest first, and a last line", async () => {
  await using service = await startOperatedService();
  assert.deepEqual(await readNdjson(await service.operate("/audit")), [
    { complete: true, count: 0 },
  ]);
  await fillLog(service, 450);
  const lines = await readNdjson(await service.operate("/audit"));
  assert.deepEqual(lines.at(-1), { complete: true, count: 401 });
  const ids = lines.slice(0, -1).map(({ id }) => id);
  assert.deepEqual(ids, Array.from({ length: 401 }, (_, n) => `d${400 - n}`));
});

Deno.test("readAuditLog gives only the time and the operator that are asked for", async () => {
  await using service = await startOperatedService();
  await fillLog(service, 6);
  for (
    const [query, days] of [
      ["?operator=grace", [5, 3, 1]],
      ["?since=2026-11-19", [2, 1, 0]],
      ["?since=2026-11-19T12:00:20Z", [2, 1, 0]],
      ["?since=2026-11-19T13:00:20.001%2B01:00", [1, 0]],
      ["?since=2026-11-18&operator=ada", [2, 0]],
      ["?operator=nobody", []],
    ] as const
  ) {
    const ids = (await readAudit(service, query)).map(({ id }) => id);
    assert.deepEqual(ids, days.map((day) => `d${day}`), query);
  }
});

Deno.test("readAuditLog names the parameter when it is none", async () => {
  await using service = await startOperatedService();
  for (
    const [query, message] of [
      [
        "?since=May",
        /^The parameter since is 'May'; give a UTC date such as 2026-05-01, or a date/,
      ],
      ["?since=", /^The parameter since is ''; give a UTC date/],
      ["?since=2026-02-30", /^The parameter since is '2026-02-30'/],
      ["?operator=Ada", /^The parameter operator is 'Ada'; give the name of an operator\.$/],
      ["?operator=", /^The parameter operator is ''/],
      ["?who=ada", /^The parameter 'who' is not known here; give since or operator\.$/],
    ] as const
  ) {
    const refused = await service.operate(`/audit${query}`);
    assert.match(await assertOperatorError(refused, 400, "invalid_request"), message);
  }
});

Deno.test("readAuditLog answers HEAD without a body, and no other method than GET", async () => {
  await using service = await startOperatedService();
  const head = await service.operate("/audit", undefined, { method: "HEAD" });
  assert.equal(head.status, 200);
  assert.equal(head.headers.get("content-type"), "application/x-ndjson");
  assert.equal(head.headers.get("content-length"), null);
  assert.equal(await head.text(), "");
  const post = await service.operate("/audit", {});
  await assertOperatorError(post, 405, "method_not_allowed");
});

Deno.test("readAuditLog names an entry that is none, and gives the others", async () => {
  await using service = await startOperatedService();
  await fillLog(service, 1);
  const at = new Date(START - 1).toISOString();
  await service.kv.set(["audit", `${at} x`], { at, action: "keysRotate" });
  const [first, second, end] = await readNdjson(await service.operate("/audit"));
  assert.equal(first?.id, "d0");
  const reason = "The field id does not have the right form.";
  assert.deepEqual(second, { unreadable: { key: ["audit", `${at} x`], reason } });
  assert.deepEqual(end, { complete: true, count: 1 });
});
