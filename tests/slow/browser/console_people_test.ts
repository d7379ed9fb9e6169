import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import {
  assertAtHome,
  assertSound,
  type ConsoleSuite,
  startConsoleSuite,
  testLanguages,
} from "./console.ts";
import { walkPeople, walkSchedule, walkWave } from "./console_people.ts";
import { test } from "./support.ts";

let suite: ConsoleSuite;
Deno.test.beforeAll(async () => {
  // Letters go into a folder.
  suite = await startConsoleSuite(300, {
    MAIL_URL: "file:mail",
    MAIL_FROM: "Example <hello@example.com>",
  });
});
Deno.test.afterAll(() => suite.stop());

testLanguages(
  "On the console's pages of people and invitations, axe and the browser report no fault",
  async (look) => {
    await using visitor = await suite.open("/operator/people/", look);
    const { page } = visitor;
    async function check(page: Page, name: string): Promise<void> {
      for (const summary of await page.locator("summary").all()) await summary.click();
      await assertSound(page, name);
      assert.doesNotMatch(page.url(), /person\.\d|@|%40/, "no address in a URL");
    }
    await walkPeople(page, check);
    await page.goto("/operator/invite/letter/?lang=de");
    assert.equal(await page.getByRole("link", { name: "Einladung annehmen" }).count(), 1);
    await walkWave(page, check);
    await walkSchedule(page, check);
    assertAtHome(visitor, suite);
  },
);

test("An operator finds, invites and erases a person in the console by keyboard, without scripts", async () => {
  const options = { scripts: false, width: 390 };
  await using visitor = await suite.open("/operator/people/", options);
  const { page } = visitor;
  const press = async (name: string, role: "button" | "link" = "button") => {
    await page.getByRole(role, { name, exact: true }).focus();
    await page.keyboard.press("Enter");
  };
  await page.getByLabel("Address, or a part of it").focus();
  await page.keyboard.type("person.30@");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "person.30@example.com" }).waitFor();
  assert.equal(await page.locator("tbody tr").count(), 1);
  await press("person.30@example.com", "link");
  await press("Invite …");
  // The field may have the link of the last wave.
  await page.getByLabel("Where the invitation leads").fill("https://app.example.com/?c={code}");
  await page.keyboard.press("Enter");
  await press("Send the invitations (1)");
  await page.waitForURL("**/operator/invite/wave/**");
  await page.goto(`${new URL(page.url()).origin}/operator/people/`);
  await page.getByLabel("Address, or a part of it").fill("person.30@");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "person.30@example.com" }).waitFor();
  await press("person.30@example.com", "link");
  await page.locator("#proof").waitFor();
  // While the invitation waits to be sent, another badge says so.
  assert.equal(await page.locator("h1 .badge").first().textContent(), "Invited");
  await press("Erase …");
  await press("Erase");
  await page.getByRole("status").getByText("person.30@example.com is erased.").waitFor();
  assert.equal(new URL(page.url()).pathname, "/operator/people/");
  await page.getByLabel("Address, or a part of it").fill("person.30@");
  await page.keyboard.press("Enter");
  await page.getByText("Nobody fits these choices.").waitFor();
});

test("When scripts run, one checkbox in the console selects all people of a page, and the page shows the number of selected people", async () => {
  await using visitor = await suite.open("/operator/people/?lang=de");
  const { page } = visitor;
  const rows = await page.locator("tbody tr").count();
  const all = page.getByLabel("All on this page");
  const count = page.locator("form.rows").getByRole("status");
  await all.check();
  await count.getByText(`Chosen: ${rows}`, { exact: true }).waitFor();
  assert.equal(await page.locator("tbody input:checked").count(), rows);
  await page.locator("tbody input").first().uncheck();
  await count.getByText(`Chosen: ${rows - 1}`, { exact: true }).waitFor();
  const backgroundOf = (row: number) =>
    page.evaluate(
      `getComputedStyle(document.querySelectorAll("tbody tr")[${row}]).backgroundColor`,
    );
  assert.notEqual(await backgroundOf(0), await backgroundOf(1), "chosen rows are highlighted");
  assert.equal(await all.isChecked(), false);
  assert.deepEqual(visitor.complaints, []);
});

test("The buttons for chosen people take one line until somebody is chosen, and are then in sight wherever the list is scrolled", async (t) => {
  for (const width of [390, 1280]) {
    await t.step(`${width} pixels wide`, async () => {
      await using visitor = await suite.open("/operator/people/", { scripts: false, width });
      const { page } = visitor;
      const erase = page.locator('form.rows button[value="erase"]');
      const bar = page.locator("form.rows .actions");
      const heightOf = async () => (await bar.boundingBox())!.height;
      assert.equal(await erase.isVisible(), false);
      assert.ok(await heightOf() < 40, String(await heightOf()));
      const box = page.locator("tbody input").nth(10);
      await box.focus();
      await page.keyboard.press("Space");
      const { y, height } = (await erase.boundingBox())!;
      assert.ok(y > 0 && y + height <= 800, String(y));
      assert.ok(await heightOf() < 32 + 40, String(await heightOf()));
      const pageWidth = await page.evaluate("document.documentElement.scrollWidth");
      assert.equal(pageWidth, width, "the page does not scroll sideways");
      await box.focus();
      await page.keyboard.press("Space");
      assert.equal(await erase.isVisible(), false);
      assert.deepEqual(visitor.complaints, []);
    });
  }
});

test("The console's page of people begins in the search with a mouse, and without focus on phones and after a search", async () => {
  await using visitor = await suite.open("/operator/people/");
  const { page } = visitor;
  await page.locator("#search:focus").waitFor();
  await page.keyboard.type("person.31@");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "person.31@example.com" }).waitFor();
  await page.getByLabel("All on this page").waitFor();
  assert.equal(await page.locator("#search:focus").count(), 0);
  // With these settings, Chrome has a touch screen and no mouse, like a phone.
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Emulation.setTouchEmulationEnabled", { enabled: true });
  await devtools.send("Emulation.setDeviceMetricsOverride", {
    width: 390,
    height: 800,
    deviceScaleFactor: 1,
    mobile: true,
  });
  await page.goto("/operator/people/");
  await page.getByLabel("All on this page").waitFor();
  assert.equal(await page.locator("#search:focus").count(), 0);
  assert.deepEqual(visitor.complaints, []);
});

test("When an operator starts to erase the people of a filter by keyboard, without scripts, the console asks how many people they are", async () => {
  const path = "/operator/people/?lang=de&state=unconfirmed";
  await using visitor = await suite.open(path, { scripts: false, width: 390 });
  const { page } = visitor;
  const press = async (name: RegExp) => {
    await page.getByRole("button", { name }).focus();
    await page.keyboard.press("Enter");
  };
  await press(/^Erase: /);
  await page.getByLabel(/^To erase them, type how many people they are: \d+$/).fill("0");
  assert.match(await page.locator("dl.facts").innerText(), /German/);
  assert.doesNotMatch(page.url(), /lang|unconfirmed/);
  assert.deepEqual(visitor.complaints, []);
});

test("By keyboard, an operator goes from the overview to a referrer, and from there to a person whom the referrer has referred", async () => {
  await using visitor = await suite.open("/operator/", { scripts: false, width: 390 });
  const { page } = visitor;
  const press = async (name: string) => {
    await page.getByRole("link", { name, exact: true }).first().focus();
    await page.keyboard.press("Enter");
  };
  await press("All people with referrals");
  const rows = page.locator("tbody tr");
  await rows.first().waitFor();
  const counts = await rows.locator("td:last-child").allTextContents();
  assert.ok(counts.length > 1 && counts.every((count) => Number(count) > 0), counts.join());
  // The further filters are open, because one of them is set.
  const least = page.getByLabel("Referrals, at least");
  assert.equal(await least.inputValue(), "1");
  await least.fill("25");
  await page.keyboard.press("Enter");
  await page.getByText("Found: 1").waitFor();
  await press("person.100@example.com");
  await page.locator("#proof").waitFor();
  const facts = page.locator("dl.facts div");
  const factOf = (name: string) => facts.filter({ hasText: name }).locator("dd");
  assert.match((await factOf("Link to recommend the list").textContent())!, /\/\?r=Person0100$/);
  // Two of the 30 people who came by the link have not confirmed.
  assert.equal(await factOf("Joined by this person’s link").textContent(), "28");
  await press("person.103@example.com");
  await page.getByRole("heading", { name: /^person\.103@/ }).waitFor();
  await factOf("Joined by the link of").getByRole("link", { name: "person.100@example.com" })
    .focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: /^person\.100@/ }).waitFor();
  assert.deepEqual(visitor.complaints, []);
});

test("An operator makes, pauses and cancels a schedule by keyboard, without scripts", async () => {
  await using visitor = await suite.open("/operator/invite/", { scripts: false, width: 390 });
  const { page } = visitor;
  const press = async (name: string, role: "button" | "link" = "button") => {
    await page.getByRole(role, { name, exact: true }).focus();
    await page.keyboard.press("Enter");
  };
  await press("Make a schedule", "link");
  await page.getByLabel("Name of the schedule").focus();
  await page.keyboard.type("by-keyboard");
  await page.getByLabel("How many").fill("2");
  await page.getByLabel("Where the invitation leads").fill("https://app.example.com/?c={code}");
  await page.keyboard.press("Enter");
  await press("Start the schedule");
  await press("Pause by-keyboard");
  await page.getByRole("button", { name: "Resume by-keyboard" }).waitFor();
  await press("Cancel by-keyboard …");
  await press("Cancel the schedule");
  await page.locator("tr", { hasText: "by-keyboard" }).getByText("Cancelled").waitFor();
});

test("The browser's back and forward buttons show the pages of a search in the console again", async () => {
  await using visitor = await suite.open("/operator/people/", { scripts: false });
  const { page } = visitor;
  const search = page.getByLabel("Address, or a part of it");
  const rows = page.locator("tbody tr");
  await search.fill("person.2");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\?q=/);
  const found = await rows.count();
  await page.getByRole("link", { name: "Next page" }).click();
  await page.getByRole("link", { name: "First page" }).waitFor();
  const others = await rows.count();
  const [email = ""] = await page.locator("th a").allTextContents();
  await page.getByRole("link", { name: email, exact: true }).click();
  await page.locator("#proof").waitFor();
  assert.equal((await page.reload())?.status(), 200);
  assert.ok((await page.locator("h1").textContent())!.startsWith(email));
  await page.getByRole("button", { name: "Erase …" }).click();
  await page.getByRole("button", { name: "Erase", exact: true }).waitFor();
  const back = async () => assert.equal((await page.goBack())?.status(), 200);
  await back();
  assert.ok((await page.locator("h1").textContent())!.startsWith(email));
  await back();
  assert.equal(await rows.count(), others);
  await back();
  assert.equal(await rows.count(), found);
  assert.equal(await search.inputValue(), "person.2");
  await page.goForward();
  assert.equal(await rows.count(), others);
  assert.deepEqual(visitor.complaints, []);
});

test("An operator corrects an address, changes answers, and marks and unmarks a person on a phone, in both languages", async (t) => {
  for (const [n, locale] of ["en-GB", "de-DE"].entries()) {
    await t.step(locale, async () => {
      const options = { scripts: false, width: 390, locale };
      await using visitor = await suite.open("/operator/people/", options);
      const email = `person.${200 + n}@`;
      await visitor.page.locator("#search").fill(email);
      await visitor.page.keyboard.press("Enter");
      const link = await visitor.page.locator("th a", { hasText: email }).getAttribute("href");
      const page = await visitor.page.context().newPage();
      await page.goto(link!);
      await page.locator("main a[href*='/correct']").click();
      await page.locator("#new_email").fill(`new.${n}@example.com`);
      await page.locator("main .primary").click();
      await page.getByRole("status").waitFor();
      const heading = await page.locator("h1").textContent();
      assert.ok(heading!.startsWith(`new.${n}@example.com`), `${heading}`);
      await page.locator('details:has(input[value="answers"]) summary').click();
      await page.locator("#new_role").fill("founder");
      const act = (name: string) => page.locator(`main form:has(input[value="${name}"]) button`);
      await act("answers").click();
      await page.locator("dd", { hasText: "founder" }).waitFor();
      await act("undeliverable").click();
      await page.locator("main .primary").click();
      await act("deliverable").click();
      await act("undeliverable").waitFor();
      assert.doesNotMatch(page.url(), /@|%40/);
      await page.close();
      assert.equal(await visitor.page.locator("#search").inputValue(), email);
      assert.deepEqual(visitor.complaints, []);
    });
  }
});

test("An operator opens the list of people behind a number on the overview, ticks people and invites them", async (t) => {
  for (const locale of ["en-GB", "de-DE"]) {
    await t.step(locale, async () => {
      await using visitor = await suite.open("/operator/?range=365", {
        scripts: false,
        width: 390,
        locale,
      });
      const { page } = visitor;
      await page.locator(".tabs a[href*='range=all']").click();
      await page.locator("table a[href*='reached=']").first().waitFor();
      await page.locator("a[href*='state=waiting']").first().click();
      await page.locator("tbody input").first().check();
      await page.locator("form.rows button[value=invite]").click();
      await page.locator("#link").fill("https://app.example.com/?c={code}");
      await page.keyboard.press("Enter");
      await page.locator("main form:has([name=confirmed]) .primary").click();
      await page.waitForURL("**/operator/invite/wave/**");
      assert.deepEqual(visitor.complaints, []);
    });
  }
});

test("The browser downloads a person's data and a wave's invitation codes from the console as files", async () => {
  await using visitor = await suite.open("/operator/people/", { scripts: false });
  const { page } = visitor;
  await page.locator("tbody th a").first().click();
  const exported = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export as JSON" }).click();
  assert.match((await exported).suggestedFilename(), /^person-[\d-]{21}\.json$/);

  await walkWave(page, () => Promise.resolve());
  // The browser asks for the page with GET where somebody comes back.
  const back = await page.goBack();
  assert.deepEqual([back?.status(), back?.request().method()], [200, "GET"]);
  const codes = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download the people and their codes (CSV)" }).click();
  assert.match((await codes).suggestedFilename(), /^invited-[\w-]+\.csv$/);
  const lines = (await Deno.readTextFile(await (await codes).path())).trimEnd().split("\r\n");
  assert.equal(lines.length, 4);
});
