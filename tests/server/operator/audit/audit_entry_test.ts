/** What restores, work that breaks off and several operators leave in the audit log. */
import assert from "node:assert/strict";
import { backup, begin, endOf, fill, finish, NOW, send } from "../../../support/backups.ts";
import { faultyKv } from "../../../support/faulty_kv.ts";
import { assertOperatorError, readAudit, startOperatedService } from "../../../support/operator.ts";
import { storeSignUp } from "../../../support/records.ts";
import { json } from "../../../support/service.ts";

const ADA = "ada@example.com";

Deno.test("every step of a restore is in the audit log, whatever log is restored", async () => {
  await using old = await startOperatedService();
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

Deno.test("an import that breaks off is in the audit log with what it has stored before", async () => {
  await using service = await startOperatedService();
  const consentedAt = "2026-05-01T09:30:00Z";
  const lines = Array.from({ length: 1_000 }, (_, n) => {
    return `${JSON.stringify({ email: `v${n}@example.com`, consentedAt })}\n`;
  });
  let sent = false;
  const cut = await service.operate("/signups/import", undefined, {
    method: "POST",
    headers: { "Content-Type": "application/x-ndjson" },
    body: new ReadableStream({
      pull(controller) {
        if (sent) return controller.error(new Error("The connection was reset"));
        controller.enqueue(new TextEncoder().encode(lines.join("")));
        sent = true;
      },
    }),
  });
  await assertOperatorError(cut, 408, "body_cut");
  const [entry, ...others] = await readAudit(service);
  assert.deepEqual(others, []);
  assert.equal(entry?.action, "importSignups");
  assert.deepEqual(entry?.details, { new: 392, merged: 0, unchanged: 0, refused: 0 });
});

Deno.test("exportSignups and backUp give nothing out when the audit log cannot be written", async () => {
  using inner = await Deno.openKv(":memory:");
  await storeSignUp(inner, { email: ADA }, NOW);
  let isDown = false;
  const kv = faultyKv(inner, (commit) => {
    if (isDown) throw new Error("the disk is full");
    return commit();
  });
  const service = await startOperatedService({}, kv);
  await using _service = { [Symbol.asyncDispose]: service.stop };
  isDown = true;
  for (const path of ["/signups/export", "/backup"]) {
    await assertOperatorError(await service.operate(path, {}), 500, "internal_error");
  }
  isDown = false;
  assert.deepEqual(await readAudit(service), []);
});

Deno.test("the audit log names whose key a call had, and each operator has their own", async () => {
  const ada = "ada-has-this-key-of-her-own-0123456789";
  const grace = "grace-has-another-key=0123456789-abcdef==";
  await using service = await startOperatedService({
    OPERATOR_KEYS: `ada=${ada} grace=${grace}`,
  });
  const rotate = (key: string) =>
    service.request("/operator/v1/clients", {
      ...json({ name: "Test", scopes: [] }),
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${key}` },
    });
  for (const key of [grace, ada, grace]) assert.equal((await rotate(key)).status, 201);
  for (const key of [`${ada}x`, `ada=${ada}`, "ada", `${ada} ${grace}`]) {
    await assertOperatorError(await rotate(key), 401, "unauthorized");
  }
  await service.operate("/keys/rotate", undefined, { method: "POST" });
  const log = await readAudit(service);
  assert.deepEqual(log.map(({ operator }) => operator).toSorted(), [
    "ada",
    "grace",
    "grace",
    "operator",
  ]);
  assert.equal((await readAudit(service, "?operator=grace")).length, 2);
  assert.ok(![ada, grace].some((key) => JSON.stringify(service.log).includes(key)));
});
