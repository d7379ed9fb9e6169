import assert from "node:assert/strict";
import type { SignUpRecord } from "../../../../server/waitlist/record.ts";
import { backup, begin, fill, finish, send } from "../../../support/backups.ts";
import { startOperatedService } from "../../../support/operator.ts";
import { putPerson, tokenOf } from "../../../support/self_service.ts";
import { form } from "../../../support/service.ts";

const ADA = { email: "ada@example.com", state: "unconfirmed" } as const;

Deno.test("a restored store knows the links in older letters, and what people agreed to", async () => {
  await using old = await startOperatedService();
  await fill(old);
  const { id } = await putPerson(old.kv, ADA);
  const token = await tokenOf(old.kv, ADA.email, id);
  await old.request("/place/confirm", form({ t: token }));
  const lines = await backup(old);
  assert.equal(lines.filter(({ kind }) => kind === "consent_text").length, 1);

  await using service = await startOperatedService();
  const page = `/place/?t=${token}`;
  assert.equal((await service.request(page)).status, 404);
  await begin(service, lines);
  await send(service, lines);
  await finish(service, lines);
  const shown = await service.request(page);
  assert.equal(shown.status, 200);
  assert.match(await shown.text(), /I agree that Example Company stores my address/);
  const { value } = await service.kv.get<SignUpRecord>(["sign_up", ADA.email]);
  const wording = await service.kv.get(["consent_text", value!.proof!.consentText]);
  assert.notEqual(wording.value, null);

  // The store's own links are as good.
  const own = await tokenOf(service.kv, ADA.email, id);
  assert.equal((await service.request(`/place/?t=${own}`)).status, 200);
  assert.equal((await old.request(`/place/?t=${own}`)).status, 404);
});
