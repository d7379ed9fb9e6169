/** The letter limits, through HTTP. @module */
import assert from "node:assert/strict";
import { startOperatedService } from "../support/operator.ts";
import { form, json, WITH_MAIL } from "../support/service.ts";
import { readOne } from "../../server/store/kv/calls.ts";

const DAY = 24 * 60 * 60 * 1000;

Deno.test("createService() delays letters when one client network has caused more than 60 letters in an hour", async () => {
  const key = "the-key-of-the-product-that-posts-sign-ups";
  await using service = await startOperatedService({
    ...WITH_MAIL,
    OPERATOR_KEYS: `shop:product=${key}`,
  });
  const join = async (email: string, from: string, visitor?: string) => {
    const body = json({ email, consent: true });
    const passedOn = { Authorization: `Bearer ${key}`, "Waitlist-Client-Address": `${visitor}` };
    const headers = { ...body.headers, ...visitor && passedOn };
    const { status } = await service.request("/api/v1/waitlist", { ...body, headers, from });
    assert.equal(status, 200);
  };
  const outbox = async () => (await (await service.operate("/overview")).json()).outbox;
  for (let n = 0; n < 70; n++) await join(`p${n}@example.com`, `192.0.2.${n}`);
  const { due, held } = await outbox();
  assert.deepEqual([due, held], [60, 10]);
  await join("other@example.com", "198.51.100.1");
  assert.equal((await outbox()).due, 61);
  // A company's own server passes on the address of the visitor, whose network it is then.
  await join("passed@example.com", "192.0.2.1", "203.0.113.1");
  await join("held@example.com", "203.0.113.1", "192.0.2.1");
  const passed = await outbox();
  assert.deepEqual([passed.due, passed.held], [62, 11]);
  const { items } = await (await service.operate("/outbox/list", {})).json();
  const waits = items.map(({ putAt, dueAt }: Record<string, string>) => {
    return Date.parse(dueAt!) - Date.parse(putAt!);
  });
  assert.equal(waits.filter((ms: number) => ms > 0 && ms <= 3_600_000).length, 11);
});

Deno.test("createService() delays a letter with the self-service link when one client network has requested 60 such letters", async () => {
  await using service = await startOperatedService(WITH_MAIL);
  for (let n = 0; n < 61; n++) {
    const body = json({ email: `p${n}@example.com`, consent: true });
    await service.request("/api/v1/waitlist", { ...body, from: `10.${n}.0.1` });
  }
  service.clock.now += DAY;
  for (let n = 0; n < 61; n++) {
    const body = form({ email: `p${n}@example.com` });
    const asked = await service.request("/place/", { ...body, from: `192.0.2.${n}` });
    assert.equal(asked.status, 303);
  }
  await service.stop();
  const counted = await readOne<number>(service.kv, ["outbox_count", "held"]);
  assert.equal(counted.value, 1);
});
