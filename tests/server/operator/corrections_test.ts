import assert from "node:assert/strict";
import { assertRefused, call, readAudit, refusalOf, test } from "../../support/operator.ts";
import { bulkSignUp, storeBulk } from "../../support/bulk_sign_ups.ts";
import { readCounts } from "../../support/records.ts";
import { assertCountersEqualRecount } from "../../support/recounts.ts";
import { form, json, START } from "../../support/service.ts";

const OLD = "ada@exmaple.com", NEW = "ada@example.com";
const PATH = "/signups/correct";
const AT = "2026-11-21T12:00:20.000Z";

test("correctSignup moves a person to the new address, and writes the hashes of both addresses to the audit log", async (service) => {
  const { operate } = service;
  await service.request("/api/v1/waitlist", json({ email: OLD, consent: true, source: "hero" }));
  const corrected = await call(service, PATH, { email: "Ada@Exmaple.com", newEmail: NEW });
  assert.deepEqual(corrected, { outcome: "corrected", correctedAt: AT, state: "waiting" });
  const gone = await refusalOf(operate("/signups/show", { email: OLD }));
  assert.equal(gone, `404 not_found: The address is not on the waitlist. It was erased at ${AT}.`);

  const shown = await call(service, "/signups/show", { email: NEW });
  const [{ at, address }] = shown.corrections;
  assert.deepEqual([at, shown.source, shown.history.length], [AT, "hero", 1]);
  const [entry] = (await readAudit(service)).filter(({ action }) => action === "correctSignup");
  assert.deepEqual(entry?.details, { formerAddress: address });
  assert.deepEqual(shown.history[0], entry);
  assert.notEqual(entry?.address, address);
  assert.ok(!JSON.stringify(service.log).includes("exmaple.com"), "no address in the log");

  // What was done about the old address is in the history of the person, too.
  await call(service, "/signups/undeliverable", { emails: [NEW] });
  await call(service, PATH, { email: NEW, newEmail: OLD });
  const { history, placeUrl } = await call(service, "/signups/show", { email: OLD });
  const t = new URL(placeUrl).searchParams.get("t") ?? "";
  const own = await (await service.request("/place/data", form({ t }))).json();
  for (const entries of [history, own.history]) {
    const actions = entries.map(({ action }: { action: string }) => action);
    assert.deepEqual(actions.toSorted(), ["correctSignup", "correctSignup", "markUndeliverable"]);
  }
});

test("correctSignup refuses a new address that is on the list or malformed, an unknown old address, and two equal addresses", async (service) => {
  const { operate, request } = service;
  for (const email of [OLD, "bo@example.com", "cy@example.com"]) {
    await request("/api/v1/waitlist", json({ email, consent: true }));
  }
  await call(service, "/signups/erase", { email: "cy@example.com" });
  const refusal = (email: string, newEmail: string) =>
    refusalOf(operate(PATH, { email, newEmail }));
  assert.match(await refusal(OLD, "bo@example.com"), /^409 conflict: The new address is on the/);
  assert.match(await refusal(OLD, "cy@example.com"), /^409 conflict: Somebody else was erased/);
  assert.match(
    await refusal("nobody@example.com", NEW),
    /^404 not_found: .+ Check its spelling\.$/,
  );
  await assertRefused(service, PATH, [
    [{ email: OLD, newEmail: OLD }, /are the same address/],
    [{ email: OLD }, /^Field 'newEmail' is/],
    [{ email: OLD, newEmail: "ada" }, /^Field 'newEmail' is/],
  ]);
});

test("setAnswers changes a person's answers and the counters, and refuses a 65th different role", async (service) => {
  const { operate, kv } = service;
  await storeBulk(kv, Array.from({ length: 64 }, (_, n) => bulkSignUp(`a${n}`, { role: `r${n}` })));
  const set = (body: object) => operate("/signups/answers", { email: "A0@example.com", ...body });
  const full = await refusalOf(set({ role: "more" }));
  assert.match(full, /^409 conflict: The field role is 'more', and there is no room for it/);
  const changed = await (await set({ role: "r1", building: "agents" })).json();
  assert.deepEqual([changed.role, changed.building, changed.updatedAt], ["r1", "agents", AT]);
  const { byRole, byBuilding } = await readCounts(kv, START);
  assert.deepEqual([byRole.r0, byRole.r1, byBuilding], [undefined, 2, { agents: 1 }]);
  // A role that no person has any more is forgotten, so that there is room for another one.
  const left = await (await set({ role: "more", building: null })).json();
  assert.deepEqual([left.role, left.building], ["more", undefined]);
  await assertCountersEqualRecount(kv);
  const nobody = await refusalOf(operate("/signups/answers", { email: NEW, role: null }));
  assert.match(nobody, /^404 not_found/);
  await assertRefused(service, "/signups/answers", [
    [{ email: NEW }, /^Give 'role' or 'building', or both\.$/],
    [{ email: NEW, role: "Founder" }, /^Field 'role' is 'Founder'; give a slug/],
  ]);
});
