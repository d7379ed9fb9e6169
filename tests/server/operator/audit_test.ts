/**
 * `readAuditLog`, and the entries of restores, of work that breaks off, of several operators and of failed sign-ins. The
 * entries of each operation are in `audited_operations_test.ts`. @module
 */
import assert from "node:assert/strict";
import { faultyKv } from "../../support/faulty_kv.ts";
import {
  assertOperatorError,
  type OperatedService,
  readAudit,
  readNdjson,
  startOperatedService,
  test,
} from "../../support/operator.ts";
import { everyEntry, storeSignUp } from "../../support/records.ts";
import { json, START, type TestService } from "../../support/service.ts";
import { backup, begin, endOf, fill, finish, NOW, send } from "../../support/backups.ts";
import { Commit, type Kv } from "../../../server/store/kv/engine.ts";
import { openMemoryKv } from "../../support/memory_kv.ts";
import { writeAuditEntry } from "../../../server/store/audit/mod.ts";

const ADA = "ada@example.com";

test("The audit log has every step of a restore, also when the backup contains an audit log", async (old) => {
  await fill(old);
  const lines = await backup(old);
  const { sha256: checksum } = endOf(lines);
  await using service = await startOperatedService();
  await begin(service, lines);
  // It changes nothing.
  await begin(service, lines, { resume: true });
  const [begun] = await readAudit(service);
  // A backup that somebody has altered cannot take an entry's place.
  const forged = { kind: "audit", entry: { ...begun, operator: "mallory", details: {} } };
  await send(service, [...lines, forged], checksum);
  await finish(service, lines);
  const log = await readAudit(service);
  const restored = await readAudit(old);
  assert.deepEqual(log.filter(({ id }) => restored.some((each) => each.id === id)), restored);
  const own = log.filter(({ id }) => !restored.some((each) => each.id === id));
  const byAction = Object.fromEntries(own.map(({ action, details }) => [action, details]));
  assert.equal(own.length, 3);
  assert.ok(own.every(({ operator }) => operator === "operator"));
  assert.deepEqual(byAction, {
    beginRestore: { checksum },
    restoreLines: { checksum, restored: 9, unchanged: 1, erased: 0, complete: true },
    finishRestore: { checksum },
  });
});

Deno.test("exportSignups and backUp send no data when the audit entry cannot be written", async () => {
  using inner = await openMemoryKv();
  await storeSignUp(inner, { email: ADA }, NOW);
  let isDown = false;
  const kv = faultyKv(inner, (commit) => {
    if (isDown) throw new Error("the disk is full");
    return commit();
  });
  const service = await startOperatedService({}, kv);
  await using _service = { [Symbol.asyncDispose]: service.stop };
  isDown = true;
  await Promise.all(["/signups/export", "/backup"].map(async (path) => {
    const answer = await service.operate(path, {});
    const message = await assertOperatorError(answer, 500, "internal_error");
    assert.ok(!message.includes("disk"), "no detail");
  }));
  isDown = false;
  const logged = service.log.filter(({ event }) => event === "request failed");
  assert.deepEqual(
    logged.map(({ level, operation }) => `${level} ${operation}`).toSorted(),
    ["error operator.backUp", "error operator.exportSignups"],
  );
  for (const { error } of logged) assert.match(String(error), /the disk is full/);
  assert.deepEqual(await readAudit(service), []);
});

Deno.test("The audit log names the operator to whom the key of the call belongs", async (t) => {
  const ada = "ada-has-this-key-of-her-own-0123456789";
  const grace = "grace-has-another-key=0123456789-abcdef==";
  await using service = await startOperatedService({ OPERATOR_KEYS: `ada=${ada} grace=${grace}` });
  const create = (key: string) =>
    service.request("/operator/v1/clients", {
      ...json({ name: "Test", scopes: [] }),
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${key}` },
    });
  for (const key of [grace, ada, grace]) assert.equal((await create(key)).status, 201);
  for (const key of [`${ada}x`, `ada=${ada}`, "ada", `${ada} ${grace}`]) {
    await t.step(key, async () => {
      await assertOperatorError(await create(key), 401, "unauthorized");
    });
  }
  await service.operate("/keys/rotate", undefined, { method: "POST" });
  const log = await readAudit(service);
  const operators = log.map(({ operator }) => operator).toSorted();
  assert.deepEqual(operators, ["ada", "grace", "grace", "operator"]);
  assert.equal((await readAudit(service, "?operator=grace")).length, 2);
  assert.ok(![ada, grace].some((key) => JSON.stringify(service.log).includes(key)));
});

const MINUTE = 60_000;

/** Calls without a right key, all from one address. */
async function signInWrongly(service: TestService, count: number): Promise<void> {
  for (let call = 0; call < count; call++) {
    const headers = call % 2 === 0 ? { Authorization: `Bearer wrong${call}` } : {};
    const path = call % 3 === 0 ? "/operator/v1" : "/operator/v1/clients";
    const response = await service.request(path, { headers, from: "192.0.2.200" });
    assert.equal(response.status, call < 30 ? 401 : 429);
  }
}

/** What is stored, but for the counts of the limits. */
async function storedEntries({ kv }: TestService) {
  return (await everyEntry(kv)).filter(({ key }) => key[0] !== "limit_counts");
}

/** The details of the entries in the audit log of a service that has ended. */
const detailsIn = async (kv: Kv) =>
  (await everyEntry(kv)).filter(({ key }) => key[0] === "audit")
    .map(({ value }) => (value as { details: unknown }).details);

test("startRefusalCounter() stores nothing during a refused call, and writes one audit entry for all refused calls of a minute", async (service) => {
  await service.repeatOnce();
  const before = await storedEntries(service);
  await signInWrongly(service, 40);
  assert.deepEqual(await storedEntries(service), before);

  service.clock.now += MINUTE;
  await service.repeatOnce();
  await service.repeatOnce();
  const log = await readAudit(service);
  const at = new Date(service.clock.now).toISOString();
  const entry = { at, id: log[0]?.id, action: "failedSignIn", details: { count: 40 } };
  assert.deepEqual(log, [entry]);
});

Deno.test("startRefusalCounter() counts each refused call once when answers of KV are lost, and logs the failure", async () => {
  let isLossy = false;
  const kv = faultyKv(await openMemoryKv(), async (commit) => {
    const result = await commit();
    if (isLossy) throw new Error("The answer was lost");
    return result;
  }, (read) => isLossy ? Promise.reject(new Error("KV is away")) : read());
  await using service = await startOperatedService({}, kv);
  await signInWrongly(service, 5);
  isLossy = true;
  await service.repeatOnce();
  const warned = service.log.filter(({ level }) => level === "warn").map(({ event }) => event);
  assert.ok(
    warned.includes(
      "could not write to the audit log how many operator calls were refused; will write this number later",
    ),
  );
  await signInWrongly(service, 2);
  isLossy = false;
  // First the entry whose answer was lost, then the calls since.
  for (let beats = 0; beats < 3; beats++) {
    service.clock.now += MINUTE;
    await service.repeatOnce();
  }
  const counts = (await readAudit(service)).map(({ details }) => details?.count);
  assert.deepEqual(counts, [5, 2]);
});

Deno.test("startRefusalCounter() writes the remaining refused calls to the audit log when the service stops", async () => {
  let isAway = false;
  using memory = await openMemoryKv();
  const kv = faultyKv(memory, (commit) => {
    return isAway ? Promise.reject(new Error("The connection was reset")) : commit();
  });
  const service = await startOperatedService({}, kv);
  await signInWrongly(service, 5);
  isAway = true;
  await service.repeatOnce();
  await signInWrongly(service, 2);
  isAway = false;
  service.clock.now += MINUTE;
  await service.stop();
  assert.deepEqual(await detailsIn(memory), [{ count: 5 }, { count: 2 }]);
});

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

test("readAuditLog streams the entries of 400 days, the oldest first, and then a line that ends the stream", async (service) => {
  assert.deepEqual(await readNdjson(await service.operate("/audit")), [
    { complete: true, count: 0 },
  ]);
  await fillLog(service, 450);
  const lines = await readNdjson(await service.operate("/audit"));
  assert.deepEqual(lines.at(-1), { complete: true, count: 401 });
  const ids = lines.slice(0, -1).map(({ id }) => id);
  assert.deepEqual(ids, Array.from({ length: 401 }, (_, n) => `d${400 - n}`));
});

test("readAuditLog returns the newest entries page by page, and reads at most 2,000 entries a page", async (service) => {
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

test(
  "readAuditLog returns only entries that have the given action, or only entries that do not have this action",
  async (service, t) => {
    await fillLog(service, 2);
    const at = new Date(START - 1).toISOString();
    const entry = { at, id: "r", action: "redeemInvitation", operator: "shop" };
    await writeAuditEntry(service.kv, entry);
    const cases = [
      ["?action=redeemInvitation", ["r"]],
      ["?action=keysRotate&operator=ada", ["d0"]],
      ["?without=redeemInvitation", ["d1", "d0"]],
      ["?without=redeemInvitation&newest=5", ["d0", "d1"]],
      ["?action=redeemInvitation&newest=5", ["r"]],
    ] as const;
    for (const [query, ids] of cases) {
      await t.step(query, async () => {
        assert.deepEqual((await readAudit(service, query)).map(({ id }) => id), ids);
      });
    }
  },
);

test(
  "readAuditLog answers 400 and names the parameter when a parameter is malformed",
  async ({ operate }, t) => {
    const wrong = [
      [
        "?since=May",
        /^The parameter since is 'May'; give a UTC date such as 2026-05-01, or a date/,
      ],
      ["?since=", /^The parameter since is ''; give a UTC date/],
      ["?since=2026-02-30", /^The parameter since is '2026-02-30'/],
      ["?operator=Ada", /^The parameter operator is 'Ada'; give the name of an operator\.$/],
      ["?operator=", /^The parameter operator is ''/],
      [
        "?who=ada",
        /^The parameter 'who' is not known here; give since, before, operator, action, without/,
      ],
      [
        "?action=a-b",
        /^The parameter action is 'a-b'; give the name of an action, such as eraseSig/,
      ],
      ["?without=", /^The parameter without is ''; give the name of an action/],
      ["?newest=1001", /^The parameter newest is '1001'; give a whole number from 1 to 1,000\.$/],
      ["?before=now", /^The parameter before is 'now'; give a UTC date such as 2026-05-01, a/],
    ] as const;
    for (const [query, message] of wrong) {
      await t.step(query, async () => {
        const refused = await operate(`/audit${query}`);
        assert.match(await assertOperatorError(refused, 400, "invalid_request"), message);
      });
    }
  },
);

test("readAuditLog answers HEAD without a body, and answers POST with 405", async ({ operate }) => {
  const head = await operate("/audit", undefined, { method: "HEAD" });
  assert.equal(head.status, 200);
  assert.equal(head.headers.get("content-type"), "application/x-ndjson");
  assert.equal(head.headers.get("content-length"), null);
  assert.equal(await head.text(), "");
  const post = await operate("/audit", {});
  await assertOperatorError(post, 405, "method_not_allowed");
});

test("readAuditLog names a malformed entry of a full page, and returns the position of the next page", async (service) => {
  await fillLog(service, 2);
  await fillWithOthers(service);
  const at = new Date(START - 3).toISOString();
  await service.kv.commit(new Commit().set(["audit", `${at} x`], { at, action: "keysRotate" }));
  const rare = "?newest=5&operator=grace";
  const [unreadable, end] = await readNdjson(await service.operate(`/audit${rare}`));
  const reason = "The field id does not have the right form.";
  assert.deepEqual(unreadable, { unreadable: { key: ["audit", `${at} x`], reason } });
  assert.ok(end?.next);
  const position = encodeURIComponent(String(end.next));
  const rest = await readNdjson(await service.operate(`/audit${rare}&before=${position}`));
  assert.deepEqual(rest.map(({ id }) => id), ["d1", undefined]);
});

/** Stores entries without an id, which cannot be read, at these moments in milliseconds since 1970. */
async function storeUnreadable({ kv }: OperatedService, moments: number[]): Promise<void> {
  for (let from = 0; from < moments.length; from += 500) {
    const commit = new Commit();
    for (const moment of moments.slice(from, from + 500)) {
      const at = new Date(moment).toISOString();
      commit.set(["audit", `${at} x`], { at, action: "keysRotate" });
    }
    await kv.commit(commit);
  }
}

test("readAuditLog returns the position of the next page when all entries of a page are unreadable", async (service) => {
  await storeUnreadable(service, Array.from({ length: 2_001 }, (_, n) => START - n));
  const at = new Date(START - DAY).toISOString();
  await writeAuditEntry(service.kv, { at, id: "old", action: "keysRotate" });
  const lines = await readNdjson(await service.operate("/audit?newest=5"));
  assert.equal(lines.length, 2_001);
  const { next, ...end } = lines.at(-1)!;
  assert.deepEqual(end, { complete: true, count: 0 });
  const position = encodeURIComponent(String(next));
  const rest = await readNdjson(await service.operate(`/audit?newest=5&before=${position}`));
  assert.deepEqual(rest.map(({ id, unreadable }) => id ?? (unreadable && "unreadable")), [
    "unreadable",
    "old",
    undefined,
  ]);
});

test("readAuditLog returns each unreadable entry on exactly one page, in the order of the log", async (service) => {
  await fillLog(service, 2);
  await storeUnreadable(service, [START - 1]);
  const [first, end, ...others] = await readNdjson(await service.operate("/audit?newest=1"));
  assert.deepEqual([first?.id, others], ["d0", []]);
  const position = encodeURIComponent(String(end?.next));
  const rest = await readNdjson(await service.operate(`/audit?newest=1&before=${position}`));
  assert.deepEqual(rest.map(({ id, unreadable }) => id ?? (unreadable && "unreadable")), [
    "unreadable",
    "d1",
    undefined,
  ]);
});
