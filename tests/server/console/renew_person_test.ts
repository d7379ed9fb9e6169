import assert from "node:assert/strict";
import { ADA, test } from "../../support/console.ts";
import { fieldsOf, textOf } from "../../support/console_forms.ts";
import { ndjson } from "../../support/service.ts";

const PERSON = "/operator/people/person/", RENEW = "/operator/people/renew/";

test("renewPersonPage lets an invitation that is over be accepted again, until the day that is given", async (service) => {
  const { browser, operate, clock } = service;
  const at = new Date(clock.now).toISOString();
  const person = { ...ADA, consentedAt: at };
  assert.equal((await operate("/signups/import", undefined, ndjson([person]))).status, 200);
  const open = () => browser.submit(PERSON, ADA);
  const wave = { wave: "first", emails: [ADA.email], link: "https://app.example.com/{code}" };
  const expires = new Date(clock.now + 60_000).toISOString();
  await operate("/waves", { ...wave, letters: false, expires });
  clock.now += 120_000;
  const { html } = await open();
  const { code = "" } = fieldsOf(html, "Renew the invitation");
  const redeem = () => operate("/invitations/redeem", { code, reference: "user-1" });
  assert.equal((await redeem()).status, 410);

  const fields = { ...ADA, code };
  const over = await browser.send(RENEW, { ...fields, expires: "2026-11-20" });
  assert.equal(over.status, 400);
  assert.match(
    over.html,
    /role="alert">The day until which the invitations hold must not be over\./,
  );
  const done = await browser.submit(RENEW, { ...fields, expires: "2026-12-31" });
  assert.match(done.html, /role="status">The invitation is renewed\./);
  assert.match(textOf(done.html), /Invitation holds until 1 Jan 2027, 00:00/);
  assert.equal((await redeem()).status, 200);
  assert.doesNotMatch((await open()).html, /Renew the invitation/);
  const gone = await browser.send(RENEW, { ...fields, code: "none", expires: "2026-12-31" });
  assert.equal(gone.status, 404);
});
