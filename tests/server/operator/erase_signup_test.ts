import assert from "node:assert/strict";
import { STATS_SCOPE } from "../../../server/oauth/clients.ts";
import { assertRefused, refusalOf, startOperatedService, test } from "../../support/operator.ts";
import { withoutPlaceUrls } from "../../support/operator.ts";
import { storedSignUps, storeSignUp } from "../../support/records.ts";
import { createTestClient, getAccessToken, json } from "../../support/service.ts";

const ADA = "ada@example.com";
const JOIN = "/api/v1/waitlist";

test("eraseSignup removes a person from records and statistics, and showSignup says when", async (service) => {
  const token = await getAccessToken(service, await createTestClient(service, [STATS_SCOPE]));
  const total = async () => {
    const headers = { Authorization: `Bearer ${token}` };
    return (await (await service.request("/api/v1/waitlist/stats", { headers })).json()).total;
  };
  await service.request(JOIN, json({ email: ADA, consent: true, source: "hero", lang: "de" }));
  assert.equal(await total(), 1);

  const shown = await service.operate("/signups/show", { email: "Ada@Example.COM" });
  assert.equal(shown.status, 200);
  const at = "2026-11-21T12:00:20.000Z";
  const times = { createdAt: at, consentedAt: at, updatedAt: at };
  const record = { ...times, lang: "de", source: "hero", state: "waiting" };
  const { id, ...person } = await shown.json();
  assert.match(id, /^[\w-]{22}$/);
  assert.deepEqual(withoutPlaceUrls([person]), [{ email: ADA, ...record, history: [] }]);

  const erased = await service.operate("/signups/erase", { email: "ADA@example.com" });
  assert.equal(erased.status, 200);
  assert.deepEqual(await erased.json(), { outcome: "erased", erasedAt: at });
  assert.equal(await total(), 0);
  const gone = await refusalOf(service.operate("/signups/show", { email: ADA }));
  assert.equal(gone, `404 not_found: The address is not on the waitlist. It was erased at ${at}.`);

  service.clock.now += 60_000;
  const again = await service.operate("/signups/erase", { email: ADA });
  assert.deepEqual(await again.json(), { outcome: "erased_before", erasedAt: at });

  const back = await service.request(JOIN, json({ email: ADA, consent: true }));
  assert.equal(back.status, 200);
  assert.equal((await service.operate("/signups/show", { email: ADA })).status, 200);
  assert.ok(!JSON.stringify(service.log).includes("example.com"), "no address in the log");
});

// Earlier versions took what no sign-up may have now.
test("eraseSignup removes a record whose address has more than 64 characters before the @", async ({ clock, kv, operate }) => {
  const email = `${"a".repeat(200)}@example.com`;
  await storeSignUp(kv, { email, lang: "en" }, new Date(clock.now).toISOString());
  const shown = await operate("/signups/show", { email });
  assert.equal(shown.status, 200);
  await shown.body?.cancel();
  const erased = await operate("/signups/erase", { email });
  assert.equal((await erased.json()).outcome, "erased");
  assert.deepEqual(await storedSignUps(kv), {});
});

for (const path of ["/signups/show", "/signups/erase"]) {
  Deno.test(`${path} says that an address is unknown, or none`, async () => {
    await using service = await startOperatedService();
    const unknown = await refusalOf(service.operate(path, { email: ADA }));
    assert.equal(unknown, "404 not_found: The address is not on the waitlist. Check its spelling.");
    const none = [7, "", "ada", "ada@localhost", ` ${ADA}`, "ä@example.com"];
    await assertRefused(service, path, none.map((email) => [{ email }, /^Field 'email' is/]));
    // An address in the path or query is not looked at.
    const absent = /'email' is absent|^Give either 'email'/;
    await assertRefused(service, `${path}?email=${ADA}`, [[{}, absent]]);
  });
}
