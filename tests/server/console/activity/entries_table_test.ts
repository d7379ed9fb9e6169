/** What a row of the page "Activity" says about the people, the figures and the operator of an audit entry. @module */
import assert from "node:assert/strict";
import { writeAuditEntry } from "../../../../server/store/audit/mod.ts";
import type { AuditEntry } from "../../../../shared/operator_schemas.ts";
import { bulkSignUp, storeBulk } from "../../../support/bulk_sign_ups.ts";
import { type ConsoleService, test } from "../../../support/console.ts";
import { textOf } from "../../../support/console_forms.ts";
import { START } from "../../../support/service.ts";

const PAGE = "/operator/activity/";
const MARK = "m".repeat(43);

/**
 * Writes the only entry of the log, and gives the cells of its row: what was done, about whom, by whom, and the details.
 */
async function cellsOf(
  { browser, kv }: ConsoleService,
  entry: Omit<AuditEntry, "at" | "id">,
  lang = "en",
): Promise<string[]> {
  await writeAuditEntry(kv, { at: new Date(START).toISOString(), id: "only", ...entry });
  const { html } = await browser.open(PAGE, { headers: { "Accept-Language": lang } });
  const row = html.split("<tr>")[2]!;
  return [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].slice(1)
    .map(([, cell]) => textOf(cell!).trim());
}

test("activityPage says that the address of one person was corrected, and shows no hash of the old address", async (service) => {
  const entry = {
    action: "correctSignup",
    operator: "ada",
    address: MARK,
    details: { formerAddress: "f".repeat(43) },
  };
  assert.deepEqual(await cellsOf(service, entry), [
    "Corrected an address",
    "one person",
    "ada",
    "",
  ]);
  assert.equal(
    (await cellsOf(service, entry, "de"))[1],
    "eine Person",
  );
});

test(
  "activityPage says how many addresses a call gave only when it changed fewer people",
  async (service, t) => {
    const { browser, operate, kv } = service;
    await storeBulk(kv, [bulkSignUp("ada", {}), bulkSignUp("bo", {})]);
    const cases = [
      [["ada"], "one person"],
      [["ada", "nobody"], "one person, of 2 addresses given"],
      [["ada", "bo"], "people: 2"],
      [["ada", "bo", "nobody"], "people: 2, of 3 addresses given"],
    ] as const;
    for (const [names, about] of cases) {
      await t.step(names.join(" and "), async () => {
        const emails = names.map((name) => `${name}@example.com`);
        assert.ok((await operate("/signups/undeliverable", { emails, reason: "gone" })).ok);
        const { html } = await browser.open(PAGE);
        const [row = ""] = html.split("<tr>").slice(2)
          .filter((each) => each.includes("Marked as undeliverable"));
        assert.ok(textOf(row).includes(` ${about} operator reason: gone`), textOf(row));
        assert.ok((await operate("/signups/deliverable", { emails })).ok);
        service.clock.now += 60_000;
      });
    }
  },
);

test("activityPage says how many e-mails and events were tried again, without a link to other e-mails", async (service) => {
  const entry = {
    action: "retryOutbox",
    operator: "ada",
    details: { retried: 12, left: 1, complete: true },
  };
  assert.deepEqual(await cellsOf(service, entry), [
    "Tried e‑mails and events again",
    "tried again: 12",
    "ada",
    "left as they were: 1",
  ]);
  const { html } = await service.browser.open(PAGE);
  // What waits or was rejected at present are other e-mails, and no filter of the log finds the ones of then.
  assert.match(html, /<td[^>]*>tried again: 12<\/td>/);
  const confirmation = { retried: 1, left: 0, message: "confirmation", complete: true };
  assert.deepEqual(await cellsOf(service, { ...entry, details: confirmation }), [
    "Tried e‑mails and events again",
    "E‑mail: confirmation, tried again: 1",
    "ada",
    "",
  ]);
  const all = { ...entry, details: { ...entry.details, left: 0 } };
  assert.equal((await cellsOf(service, all))[3], "");
});

test(
  "activityPage says in the column About how many people a call has changed",
  async (service, t) => {
    const cases: [string, NonNullable<AuditEntry["details"]>, string][] = [
      ["startWave", { wave: "beta", named: 3, invited: 2 }, "people: 2, of 3 addresses given"],
      ["startWave", { wave: "beta", next: 5, invited: 5 }, "people: 5"],
      ["scheduledWave", { wave: "beta", schedule: "weekly", invited: 4 }, "people: 4"],
      ["listWavePeople", { wave: "beta", exported: 1_200 }, "people: 1,200"],
      ["remindSignups", { reminded: 3, notReminded: 1 }, "people: 3"],
      ["eraseSignups", { state: "unconfirmed", erased: 6 }, "people: 6"],
      ["startJob", { job: "old", act: "erase", most: 9, done: 7 }, "people: 7"],
      ["startJob", { job: "old", act: "erase", most: 9 }, ""],
    ];
    for (const [action, details, about] of cases) {
      await t.step(`${action} ${JSON.stringify(details)}`, async () => {
        const [, shown, , list = ""] = await cellsOf(service, { action, operator: "ada", details });
        assert.equal(shown, about);
        assert.doesNotMatch(list, /invited|exported|asked again|erased|people done|addresses/);
      });
    }
  },
);

test("activityPage names a long change that was not complete", async (service, t) => {
  const cases: [string, NonNullable<AuditEntry["details"]>, string][] = [
    ["startWave", { wave: "beta", invited: 2, complete: true }, "wave: beta"],
    ["startWave", { wave: "beta", invited: 2 }, "wave: beta not complete"],
    ["remindSignups", { reminded: 3, notReminded: 0 }, "not asked: 0 not complete"],
    ["eraseSignup", { job: "old" }, "id of the job: old"],
    ["pauseWave", { wave: "beta" }, "wave: beta"],
  ];
  for (const [action, details, list] of cases) {
    await t.step(`${action} ${JSON.stringify(details)}`, async () => {
      const cells = await cellsOf(service, { action, operator: "ada", details });
      assert.equal(cells[3], list);
    });
  }
  const ofJob = {
    action: "remindSignups",
    operator: "ada",
    address: MARK,
    details: { job: "old" },
  };
  assert.equal((await cellsOf(service, ofJob))[3], "id of the job: old");
});

test("activityPage leaves out the numbers of an import that are zero", async (service) => {
  const details = { new: 300, merged: 0, unchanged: 0, refused: 0, complete: true };
  const entry = { action: "importSignups", operator: "ada", details };
  assert.equal((await cellsOf(service, entry))[3], "new: 300");
  const others = { ...entry, details: { ...details, new: 0, merged: 2, refused: 1 } };
  assert.equal((await cellsOf(service, others))[3], "changed: 2 lines refused: 1");
});

test("activityPage names the same detail by what it means for the action", async (service) => {
  const links = { action: "rotateLinkKey", operator: "ada", details: { overlapSeconds: 3600 } };
  assert.equal((await cellsOf(service, links))[3], "old links valid for: 1 hour");
  const secret = { ...links, action: "rotateClient" };
  assert.equal((await cellsOf(service, secret))[3], "old secret valid for: 1 hour");
  const details = { restored: 12, unchanged: 3, erased: 1, complete: true };
  assert.equal(
    (await cellsOf(service, { action: "restoreLines", operator: "ada", details }))[3],
    "lines stored: 12 unchanged: 3 left out, as the people were erased: 1",
  );
});

test("activityPage tells a wave that goes on from a wave whose rejected e-mails are sent again", async (service) => {
  const resumed = { action: "resumeWave", operator: "ada", details: { wave: "beta" } };
  assert.deepEqual(await cellsOf(service, resumed), ["Resumed a wave", "", "ada", "wave: beta"]);
  const again = { ...resumed, details: { wave: "beta", again: true } };
  assert.equal(
    (await cellsOf(service, again))[3],
    "wave: beta to send its rejected e‑mails again",
  );
});

test("activityPage leads from the name of an operator to all that this operator did in the chosen days", async ({ browser, kv }) => {
  const at = new Date(START).toISOString();
  await writeAuditEntry(kv, { at, id: "a", action: "rotateKeys", operator: "ada" });
  const { html } = await browser.open(`${PAGE}?action=rotateKeys&since=2026-11-20`);
  assert.match(
    html,
    /<td><a href="\/operator\/activity\/\?operator=ada&amp;since=2026-11-20">ada<\/a><\/td>/,
  );
  const ofAda = await browser.open(`${PAGE}?operator=ada`);
  assert.match(ofAda.html, /<td>ada<\/td>/, "the page has no link to itself");
});
