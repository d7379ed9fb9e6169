/** Which neighbouring entries of the audit log share a row of the page "Activity". @module */
import assert from "node:assert/strict";
import { writeAuditEntry } from "../../../../server/store/audit/mod.ts";
import type { AuditEntry } from "../../../../shared/operator_schemas.ts";
import { test } from "../../../support/console.ts";
import { textOf } from "../../../support/console_forms.ts";
import { START } from "../../../support/service.ts";

const PAGE = "/operator/activity/";

/** The rows of the table on a page, as text. */
const rowsOf = (html: string) =>
  html.slice(0, html.indexOf("</tbody>")).split("<tr>").slice(2).map((row) => textOf(row).trim());

test("activityPage shows several audit entries in one row, and shows only the details that all these entries share", async ({ browser, kv }) => {
  const at = new Date(START).toISOString();
  const call = { at, action: "redeemInvitation", operator: "shop", address: "m".repeat(43) };
  for (const id of ["a", "b"]) {
    const details = { wave: "beta-1", reason: id, named: 1, reminded: 1, notReminded: 0 };
    await writeAuditEntry(kv, { ...call, id, details });
  }
  const { html } = await browser.open(`${PAGE}?redeemed=yes`);
  assert.match(
    html,
    /<ul class="details"><li>wave: <a href="\/operator\/invite\/wave\/\?id=beta-1">beta-1<\/a><\/li><\/ul>/,
  );
});

test("activityPage shows neighbouring reports of mail providers on one day in one row, and the acts of an operator in rows of their own", async ({ browser, kv }) => {
  const write = (minute: number, entry: Omit<AuditEntry, "at" | "id">) => {
    const at = new Date(START - minute * 60_000).toISOString();
    const call = { requestId: `call-${minute}`, address: "m".repeat(43) };
    return writeAuditEntry(kv, { at, id: `m${minute}`, ...call, ...entry });
  };
  for (const minute of [1, 2, 3]) {
    const details = { provider: "generic", messageId: `<${minute}@list>` };
    await write(minute, { action: "mailBounced", operator: "mail", details });
  }
  await write(4, { action: "mailComplained", operator: "mail", details: { provider: "ses" } });
  await write(24 * 60, { action: "mailComplained", operator: "mail" });
  await write(24 * 60 + 1, { action: "markDeliverable", operator: "ada" });
  await write(24 * 60 + 2, { action: "markDeliverable", operator: "ada" });
  const rows = rowsOf((await browser.open(PAGE)).html);
  assert.equal(rows.length, 5);
  assert.match(
    rows[0]!,
    /^21 Nov 2026, 11:57 – 21 Nov 2026, 11:59 .+ people: 3 mail provider$/,
  );
  assert.match(rows[1]!, / one person mail provider ses$/);
});

test("activityPage shows the refused calls of several minutes of a day in one row with their sum and their time", async ({ browser, kv }) => {
  const write = (minute: number, entry: Omit<AuditEntry, "at" | "id">) => {
    const at = new Date(START - minute * 60_000).toISOString();
    return writeAuditEntry(kv, { at, id: `m${minute}`, ...entry });
  };
  await write(1, { action: "failedSignIn", details: { count: 4 } });
  await write(2, { action: "failedSignIn", details: { count: 1_000 } });
  await write(3, { action: "forbidden", operator: "ada", details: { count: 2 } });
  await write(4, { action: "forbidden", operator: "bo", details: { count: 3 } });
  await write(24 * 60, { action: "forbidden", operator: "bo", details: { count: 5 } });
  assert.deepEqual(rowsOf((await browser.open(PAGE)).html), [
    "21 Nov 2026, 11:58 – 21 Nov 2026, 11:59 Calls with a wrong key unknown calls: 1,004",
    "21 Nov 2026, 11:57 Calls that the role does not allow ada calls: 2",
    "21 Nov 2026, 11:56 Calls that the role does not allow bo calls: 3",
    "20 Nov 2026, 12:00 Calls that the role does not allow bo calls: 5",
  ]);
});
