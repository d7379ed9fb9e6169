import assert from "node:assert/strict";
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import { nth, storeWaiting } from "../../support/invitations.ts";
import { assertRefused, readAudit, test } from "../../support/operator.ts";
import { storedSignUps } from "../../support/records.ts";
import { START } from "../../support/service.ts";

const AT = new Date(START).toISOString();

test("markUndeliverable marks addresses as undeliverable, and names the unknown addresses", async (service) => {
  await storeWaiting(service.kv, 1);
  const emails = [nth(0).toUpperCase(), "nobody@example.com"];
  const answer = await service.operate("/signups/undeliverable", { emails });
  assert.deepEqual(await answer.json(), { marked: 1, notMarked: ["nobody@example.com"] });
  assert.equal((await storedSignUps(service.kv))[nth(0)]?.undeliverableAt, AT);
  const audit = await readAudit(service);
  assert.deepEqual(audit.map(({ details }) => details), [{ named: 2 }]);
  assert.ok(!JSON.stringify(audit).includes("example.com"), "no address in the audit log");
});

test(
  "markUndeliverable and markDeliverable write an audit entry for each changed person",
  async (service, t) => {
    await storeWaiting(service.kv, 3);
    const emails = [nth(0), nth(1), "nobody@example.com"];
    const historyOf = async (email: string) =>
      (await (await service.operate("/signups/show", { email })).json()).history;
    await service.operate("/signups/undeliverable", { emails, reason: "The mailbox is full" });
    service.clock.now += 1_000;
    await service.operate("/signups/deliverable", { emails: [nth(1), nth(0)] });
    for (const email of [nth(0), nth(1)]) {
      await t.step(email, async () => {
        const history = await historyOf(email);
        const told = history.map((
          entry: AuditEntry,
        ) => [entry.action, entry.operator, entry.details]);
        assert.deepEqual(told, [
          ["markDeliverable", "operator", { named: 2 }],
          ["markUndeliverable", "operator", { named: 3, reason: "The mailbox is full" }],
        ]);
      });
    }
    assert.deepEqual(await historyOf(nth(2)), []);
    const log = await readAudit(service);
    assert.equal(new Set(log.map(({ id }) => id)).size, 4, "an entry has an id of its own");
    await assertRefused(service, "/signups/undeliverable", [
      [
        { emails, reason: "ada@example.com is full" },
        /^Field 'reason' is '.+'; give 1 to 200 char/,
      ],
      [{ emails, reason: "" }, /^Field 'reason' is ''; give 1 to 200 characters without '@'/],
    ]);
  },
);
