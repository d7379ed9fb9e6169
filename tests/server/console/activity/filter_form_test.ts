/** The form that filters the page "Activity". @module */
import assert from "node:assert/strict";
import { OPERATOR_KEY } from "../../../support/operator.ts";
import { writeAuditEntry } from "../../../../server/store/audit/mod.ts";
import { readConsoleTexts } from "../../../../server/content/console_texts.ts";
import { startConsole, test } from "../../../support/console.ts";
import { START } from "../../../support/service.ts";

const PAGE = "/operator/activity/";

/** Gives the HTML of a menu of the page. */
const menuOf = (html: string, name: string) =>
  new RegExp(`<select id="${name}".+?</select>`, "s").exec(html)![0];

/** Gives the groups of a menu: their names, and the texts of their choices. */
const groupsOf = (menu: string) =>
  Array.from(
    menu.matchAll(/<optgroup label="([^"]+)">(.+?)<\/optgroup>/gs),
    ([, label, choices]) =>
      [label, Array.from(choices!.matchAll(/<option[^>]*>([^<]+)</g), ([, text]) => text)] as const,
  );

test("activityPage groups the actions of its filter by their subjects in the operator's language, each action once", async ({ browser }) => {
  const menu = menuOf((await browser.open(PAGE)).html, "action");
  assert.match(menu, /<option value="" selected>All<\/option>\n?<optgroup label="People">/);
  const groups = new Map(groupsOf(menu));
  assert.deepEqual([...groups.keys()], [
    "People",
    "Invitations",
    "E‑mails and events",
    "Clients",
    "Data",
    "Settings",
    "Refused calls",
  ]);
  assert.deepEqual(groups.get("Refused calls"), [
    "Calls that the role does not allow",
    "Calls with a wrong key",
  ]);
  const { activity } = (await readConsoleTexts()).en;
  assert.deepEqual(
    [...groups.values()].flat().toSorted(),
    Object.values(activity.actions).toSorted(),
  );
  const german = await browser.open(PAGE, { headers: { "Accept-Language": "de" } });
  assert.deepEqual(groupsOf(menuOf(german.html, "action")).map(([label]) => label), [
    "Personen",
    "Einladungen",
    "E‑Mails und Ereignisse",
    "Clients",
    "Daten",
    "Einstellungen",
    "Abgewiesene Aufrufe",
  ]);
});

test("activityPage offers as a menu the operators with a key, the mail providers, and the operators on the page who have no key", async () => {
  await using service = await startConsole({
    OPERATOR_KEY: undefined,
    OPERATOR_KEYS: `grace=${OPERATOR_KEY} ada:viewer=${[...OPERATOR_KEY].reverse().join("")}`,
  });
  const at = new Date(START).toISOString();
  await writeAuditEntry(service.kv, { at, id: "a", action: "rotateKeys", operator: "zoe" });
  const menu = menuOf((await service.browser.open(PAGE)).html, "operator");
  assert.match(
    menu,
    /<option value="" selected>All<\/option>\n?<option value="ada">ada<\/option>\n?<option value="grace">grace<\/option>\n?<option value="mail">Reports of mail providers<\/option>/,
  );
  assert.deepEqual(groupsOf(menu), [["Without a key", ["zoe"]]]);
  const chosen = await service.browser.open(`${PAGE}?operator=bo`);
  assert.match(menuOf(chosen.html, "operator"), /<option value="bo" selected>bo<\/option>/);
  assert.deepEqual(groupsOf(menuOf(chosen.html, "operator")), [["Without a key", ["bo"]]]);
});

test("activityPage links to the entries of the present day, and keeps the other parts of the filter", async ({ browser }) => {
  const { html } = await browser.open(`${PAGE}?operator=operator&action=backUp`);
  const [, path = ""] = /<a href="([^"]+)">Today</.exec(html) ?? [];
  assert.match(
    html,
    /<p class="soft">With an operator or an action chosen, invitations that products redeemed are shown as well\.</,
    "the page shows these entries",
  );
  assert.equal(path, `${PAGE}?operator=operator&amp;action=backUp&amp;since=2026-11-21`);
  assert.doesNotMatch((await browser.open(path.replaceAll("&amp;", "&"))).html, />Today</);
  const redeemed = await browser.open(`${PAGE}?redeemed=yes`);
  assert.match(redeemed.html, /<a href="[^"]+\?redeemed=yes&amp;since=2026-11-21">Today</);
});

test("activityPage asks for redeemed invitations after the operator is taken out of the filter only if the checkbox was ticked before", async ({ browser }) => {
  const [, form = ""] = /<form class="filters"([^]+?)<\/form>/.exec(
    (await browser.open(`${PAGE}?operator=operator&action=&since=2026-11-20`)).html,
  ) ?? [];
  assert.match(
    form,
    /With an operator or an action chosen, invitations that products redeemed are shown as well\./,
  );
  assert.doesNotMatch(form, /name="redeemed"/);
  assert.match(form, /name="since"[^>]+2026-11-20/);
  assert.match(form, /<a href="\/operator\/activity\/">Clear all filters</);
  const ticked = await browser.open(`${PAGE}?operator=operator&redeemed=yes`);
  assert.match(ticked.html, /<input type="hidden" name="redeemed" value="yes">/);
  const all = await browser.open(`${PAGE}?redeemed=yes`);
  assert.match(all.html, /type="checkbox" name="redeemed" value="yes" checked>/);
});
