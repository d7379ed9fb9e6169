import assert from "node:assert/strict";
import { type SignUpRecord } from "../../../server/waitlist/record.ts";
import { writeContent } from "../../support/brand.ts";
import { bulkSignUp, storeBulk } from "../../support/bulk_sign_ups.ts";
import { ADA, findAda } from "../../support/self_service_pages.ts";
import { startWithPerson } from "../../support/self_service_pages.ts";
import { assertCountersEqualRecount } from "../../support/recounts.ts";
import { putPerson, tokenOf } from "../../support/self_service.ts";
import { form, startTestService } from "../../support/service.ts";
import { readOne } from "../../../server/store/kv/calls.ts";

Deno.test("the page asks for role and use case where the brand does, and takes only what it offers", async () => {
  const role =
    "  role: { founder: { en: Founder, de: Gründung }, lead: { en: Lead, de: Leitung } }";
  await using own = await writeContent({ "brand.yaml": `answers:\n${role}\n` });
  await using service = await startTestService({ CONTENT_PATH: own.path });
  const { kv } = service;
  const { id } = await putPerson(kv, { email: ADA, state: "waiting", lang: "de" });
  await storeBulk(kv, [bulkSignUp("ada", { building: "agents", role: "other" })]);
  const t = await tokenOf(kv, ADA, id);
  const page = async () => await (await service.request(`/de/platz/?t=${t}`)).text();
  const asked = await page();
  assert.match(
    asked,
    /<option value="">Keine Angabe<[^]+value="other" selected>other<[^]+>Gründung</,
  );
  assert.doesNotMatch(asked, /<select[^>]+name="building"/);
  const send = async (fields: Record<string, string>) => {
    const answer = await service.request("/place/answers", form({ t, lang: "de", ...fields }));
    assert.equal(answer.status, 303);
    assert.equal(answer.headers.get("location"), `/de/platz/?t=${t}&saved=1`);
    const { value } = await readOne<SignUpRecord>(kv, ["sign_up", ADA]);
    return [value?.role, value?.building];
  };
  assert.deepEqual(await send({ role: "founder", building: "" }), ["founder", "agents"]);
  const saved = await service.request(`/de/platz/?t=${t}&saved=1`);
  const SAVED = /<p class="saved" tabindex="-1" autofocus>Ihre Angaben sind gespeichert/;
  assert.match(await saved.text(), SAVED);
  assert.doesNotMatch(await page(), SAVED);
  assert.match(await page(), /<dt>Rolle<\/dt><dd>Gründung<\/dd>/);
  assert.deepEqual(await send({ role: "boss" }), ["founder", "agents"]);
  assert.deepEqual(await send({ role: "" }), [undefined, "agents"]);
  await assertCountersEqualRecount(kv);
});

Deno.test("the page says that there is no room for an answer, and shows what is kept", async () => {
  const role = "  role: { founder: { en: Founder, de: Gründung } }";
  await using own = await writeContent({ "brand.yaml": `answers:\n${role}\n` });
  await using service = await startTestService({ CONTENT_PATH: own.path });
  const { kv } = service;
  const { id } = await putPerson(kv, { email: ADA, state: "waiting" });
  const others = Array.from({ length: 64 }, (_, n) => bulkSignUp(`a${n}`, { role: `role-${n}` }));
  await storeBulk(kv, others);
  const t = await tokenOf(kv, ADA, id);
  const answer = await service.request("/place/answers", form({ t, lang: "en", role: "founder" }));
  assert.equal(answer.status, 409);
  assert.equal(answer.headers.get("content-type"), "text/html; charset=utf-8");
  const html = await answer.text();
  assert.match(
    html,
    /<p class="full" tabindex="-1" autofocus>Nothing was changed, as the list has no room/,
  );
  assert.match(html, /<dt>E-mail address<\/dt><dd>ada@example\.com<\/dd>/);
});

Deno.test("the page asks for nothing more where the brand does not", async () => {
  await using service = await startWithPerson({ state: "waiting" });
  const { token } = service;
  const page = await (await service.request(`/place/?t=${token}`)).text();
  assert.doesNotMatch(page, /<select|Tell us a little more/);
  const sent = await service.request("/place/answers", form({ t: token, role: "founder" }));
  assert.equal(sent.status, 303);
  assert.equal((await findAda(service))?.role, undefined);
});
