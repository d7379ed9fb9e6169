import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import { listenTo, type Receiver } from "../../support/receiver.ts";
import { withEvents } from "../../support/service.ts";
import type { ConsoleSuite } from "./console.ts";
import { assertAtHome, assertSound, startConsoleSuite, testLanguages } from "./console.ts";
import { newAddress } from "./sign_up.ts";
import { assertFits, test } from "./support.ts";

/** A mail API and a webhook. The webhook refuses events while it is told to, the mail API the letters to an address. */
let receiver: Receiver;
let isRefusing = true;
let refused: string | undefined;
let suite: ConsoleSuite;
let clientId: string;

Deno.test.beforeAll(async () => {
  receiver = listenTo(({ path, body }) => {
    const isRefused = path === "/hook" ? isRefusing : refused && body.includes(refused);
    return new Response(null, { status: isRefused ? 422 : 200 });
  });
  suite = await startConsoleSuite(20, {
    MAIL_URL: `${receiver.url}/mail`,
    MAIL_FROM: "Waitlist <list@example.com>",
    MAIL_TOKEN: "a-token-of-a-mail-api",
    ...withEvents(receiver.url),
  });
  const client = { name: "Office screen on the third floor", scopes: ["waitlist:stats:read"] };
  clientId = JSON.parse(await suite.operate("/clients", JSON.stringify(client))).client_id;
});
Deno.test.afterAll(async () => {
  await suite.stop();
  await receiver[Symbol.asyncDispose]();
});

/** What the pages of waves say in each language. */
const WAVE_WORDS = [
  ["en-GB", "Pause", /^Cancel the wave/, "Done"],
  ["de-DE", "Anhalten", /^Welle abbrechen/, "Fertig"],
] as const;

/** Puts a letter into the outbox, and reloads the list of what was refused until the letter is there. */
async function refuseLetter(page: Page): Promise<string> {
  isRefusing = true;
  const [taken, email] = [newAddress().toLowerCase(), newAddress().toLowerCase()];
  refused = email;
  for (const each of [taken, email]) {
    const data = { email: each, consent: true };
    assert.equal((await page.request.post("/api/v1/waitlist", { data })).status(), 200);
    // Three refusals without a letter taken between them pause all letters.
    while (!receiver.received.some(({ path, body }) => path === "/mail" && body.includes(each))) {
      await page.goto("/operator/outbox/");
    }
  }
  do await page.goto("/operator/outbox/?list=refused"); while (
    await page.getByText(email).count() === 0
  );
  return email;
}

testLanguages(
  "On the console's pages of clients, letters, activity and data, axe and the browser report no fault",
  async (look) => {
    await using visitor = await suite.open("/operator/clients/", look);
    const { page } = visitor;
    /** Sends the form with such a value, and checks the page that answers. */
    const send = async (value: string, within = "main") => {
      const button = page.locator(`${within} form:has([value="${value}"]) button`).first();
      await Promise.all([page.waitForEvent("domcontentloaded"), button.click()]);
      await assertSound(page);
    };
    await assertSound(page);
    await page.locator("#name").fill("Dashboard");
    await send("yes");
    await page.goto(`/operator/clients/client/?id=${clientId}&done=disabled`);
    await assertSound(page);
    await page.locator("#overlap").selectOption("0");
    await send("rotate");
    const email = await refuseLetter(page);
    for (const list of ["?list=deliveries", "?list=waiting", "?list=log", "?list=refused"]) {
      await page.goto(`/operator/outbox/${list}`);
      await assertSound(page);
    }
    assert.equal(await page.getByText(email).count(), 1);
    const box = page.locator(`[type=checkbox][aria-label*="${email}"]`);
    await box.check();
    await assertSound(page);
    await box.uncheck();
    // The Enter key must not press the button of the first row.
    await Promise.all([page.waitForEvent("domcontentloaded"), box.press("Enter")]);
    await page.getByRole("alert").waitFor();
    await assertSound(page);
    await page.goto("/operator/outbox/?list=refused");
    // The question whether to try all rejected e-mails again.
    await send("all");
    await page.goto("/operator/outbox/?list=refused");
    await page.locator("#email").fill("operator@example.com");
    await send("test", "[aria-labelledby=testLetter]");
    await page.goto("/operator/outbox/");
    await send("test", "[aria-labelledby=test]");
    await page.goto("/operator/activity/?operator=operator");
    await assertSound(page);
    await page.goto("/operator/data/");
    await assertSound(page);
    await send("verify");
    await page.goto("/operator/data/");
    // The page offers no repair, because the counters are right. The form of the check asks for the repair instead.
    await page.evaluate(`document.querySelector('[value="verify"]').value = "repair"`);
    await send("repair");
    await send("yes");
    const complaints = visitor.complaints.filter((text) => !/status of 4\d\d/.test(text));
    assertAtHome({ ...visitor, complaints }, suite);
    assert.ok(visitor.requests.every((url) => !decodeURIComponent(url).includes("@")));
  },
);

test("An operator plans and starts a wave, and finds it in the list of waves, on a phone without scripts", async (t) => {
  for (const [locale, pause, cancel, state] of WAVE_WORDS) {
    await t.step(locale, async () => {
      const look = { scripts: false, width: 390, locale };
      await using visitor = await suite.open("/operator/invite/", look);
      const { page } = visitor;
      await page.locator("#next").fill("3");
      await page.locator("#link").fill("https://app.example.com/");
      await page.locator("#expires").fill("2040-01-31");
      await page.locator("main .primary").click();
      // A link without a code is asked about.
      await page.locator(".warning").waitFor();
      await page.locator("main .primary").click();
      await page.locator(".fault").waitFor();
      await assertFits(page, [390]);
      await page.locator("[name=without_code]").check();
      await page.locator("main .primary").click();
      await page.waitForURL(/\/wave\/\?id=/);
      await assertFits(page, [390]);
      const id = new URL(page.url()).searchParams.get("id")!;
      while (await page.locator("meta[http-equiv=refresh]").count() > 0) await page.reload();
      assert.equal(await page.locator("h1 .badge").textContent(), state);
      // While letters wait, a wave that is done can still be paused.
      let shown = { state: "", expires: "", invited: 1, taken: 0, refused: 0 };
      while (shown.taken + shown.refused < shown.invited) {
        await page.reload();
        shown = JSON.parse(await suite.operate(`/waves/${id}`));
      }
      assert.deepEqual([shown.state, shown.expires], ["done", "2040-02-01T00:00:00.000Z"]);
      await page.goto("/operator/invite/");
      assert.equal(await page.locator("#link").inputValue(), "https://app.example.com/");
      await page.getByRole("link", { name: id }).click();
      await page.waitForURL(/\/wave\/\?id=/);
      for (const name of [pause, cancel]) {
        assert.equal(await page.getByRole("button", { name }).count(), 0);
      }
      // From the wave to a person, whose invitation then holds for longer.
      await page.locator("tbody th a").first().click();
      const renewal = page.locator('form:has(input[value="renew"])');
      await page.locator("details", { has: renewal }).locator("summary").click();
      await assertFits(page, [390]);
      await renewal.locator("#expires").fill("2041-01-31");
      await renewal.locator("button").click();
      await page.locator("[role=status]").waitFor();
      assert.match((await page.locator("main").textContent())!, /2041/);
      // The browser tells of the plan that asks, whose status is 409.
      assert.deepEqual(visitor.complaints.filter((text) => !/status of 409/.test(text)), []);
    });
  }
});

/** A file of another tool, with some people and a row that is refused. */
function listOf(...people: string[]) {
  const rows = [...people, "nobody"].map((email) => `${email},2024-05-01T09:30:00Z,x\n`);
  const buffer = Buffer.from(`Email Address,OPTIN_TIME,Company\n${rows.join("")}`);
  return { name: "list.csv", mimeType: "text/csv", buffer };
}

testLanguages(
  "On the import page, axe and the browser report no fault, and the second step still has the chosen file",
  async (look) => {
    await using visitor = await suite.open("/operator/data/import/", look);
    const { page } = visitor;
    await assertSound(page);
    await page.locator("#file").setInputFiles(listOf(newAddress()));
    await page.locator("main .primary").click();
    await page.locator("#submit").waitFor();
    await assertSound(page);
    assert.equal(await page.evaluate("document.activeElement.id"), "content");
    assert.equal(await page.locator("#file").isVisible(), false, "the file is chosen already");
    await page.locator("#others").click();
    await page.locator("#column_email").waitFor();
    assert.equal(await page.locator("#column_email").inputValue(), "Email Address");
    await assertSound(page);
    await Promise.all([
      page.waitForEvent("domcontentloaded"),
      page.locator("[aria-labelledby=submit] button").click(),
    ]);
    await page.locator(".step .figures").waitFor();
    await assertSound(page);
    await page.goBack();
    await page.locator("#file").waitFor();
    assertAtHome(visitor, suite);
  },
);

test("An operator imports a file by keyboard, without scripts, on a phone", async () => {
  const look = { scripts: false, width: 390 };
  await using visitor = await suite.open("/operator/data/import/", look);
  const { page } = visitor;
  const email = newAddress();
  /** Presses Tab until the element has the focus. */
  const focus = async (selector: string) => {
    for (let steps = 0; await page.locator(`${selector}:focus`).count() === 0; steps++) {
      assert.ok(steps < 40, `${selector} has the focus within 40 steps`);
      await page.keyboard.press("Tab");
    }
  };
  /** Chooses the file after the field has got the focus by keyboard. The dialog belongs to the browser. */
  const choose = async () => {
    await focus("#file");
    await page.locator("#file").setInputFiles(listOf(email));
  };
  const press = async (selector: string) => {
    await focus(selector);
    await Promise.all([page.waitForEvent("domcontentloaded"), page.keyboard.press("Enter")]);
    await assertFits(page, [390]);
  };
  await choose();
  await press("main .primary");
  await page.getByText("The columns are chosen by their names").waitFor();
  await page.getByText("Choose the same file again").waitFor();
  await choose();
  await press("[aria-labelledby=submit] button");
  await page.getByRole("status").getByText("The import is done.").waitFor();
  await page.goto("/operator/people/");
  await page.getByLabel("Address, or a part of it").fill(email);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/operator/people/?q=*");
  assert.equal(await page.locator("tbody th a").count(), 1);
});

test("A button copies the secret of a new client to the clipboard when the browser runs scripts", async () => {
  await using visitor = await suite.open("/operator/clients/");
  const { page } = visitor;
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.locator("#name").fill("Copied");
  await page.getByRole("button", { name: "Create a client" }).click();
  const secret = await page.locator(".secrets pre").last().textContent();
  await page.getByRole("button", { name: "Copy" }).last().click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  assert.equal(await page.evaluate("navigator.clipboard.readText()"), secret);
});

test("The lines that an integrator needs scroll sideways in their box and keep each word whole, and no button covers them", async (t) => {
  await using visitor = await suite.open("/operator/clients/");
  const { page } = visitor;
  await page.locator("#name").fill("Narrow");
  await page.getByRole("button", { name: "Create a client" }).click();
  const block = page.getByRole("region", { name: "All that an integrator needs, to hand over" });
  const heights = new Set<number>();
  for (const width of [390, 1280]) {
    await t.step(`${width} px`, async () => {
      await page.setViewportSize({ width, height: 800 });
      const box = (await block.boundingBox())!;
      heights.add(box.height);
      for (const button of await page.getByRole("button", { name: "Copy" }).all()) {
        const { y, height } = (await button.boundingBox())!;
        assert.ok(y + height <= box.y || y >= box.y + box.height);
      }
      await assertFits(page, [width]);
    });
  }
  assert.equal(heights.size, 1, "no line is broken in a narrow window");
  await page.setViewportSize({ width: 390, height: 800 });
  await block.focus();
  await page.keyboard.press("ArrowRight");
  // The browser scrolls some time after the key is pressed.
  while (await page.evaluate("document.activeElement.scrollLeft") === 0);
});

test("An operator can use the console's pages of clients, letters and data when scripts are off", async (t) => {
  await using visitor = await suite.open("/operator/clients/", { scripts: false, width: 390 });
  const { page } = visitor;
  const click = (name: string) => page.getByRole("button", { name }).click();
  const status = () => page.getByRole("status").textContent();
  await page.getByLabel("Name").fill("Without scripts");
  await click("Create a client");
  assert.equal(await page.getByRole("button", { name: "Copy" }).count(), 0);
  assert.match(await page.locator(".secrets pre").last().textContent() ?? "", /^[\w-]{43}$/);
  await page.getByRole("link", { name: "I have saved the secret" }).click();
  await page.getByRole("heading", { level: 1, name: "Without scripts" }).waitFor();
  assert.equal(await page.locator(".secrets").count(), 0);
  await click("Disable");
  assert.match(await status() ?? "", /^The client is disabled\./);
  await click("Enable");
  assert.match(await status() ?? "", /^The client is enabled/);
  await page.getByLabel("The present secret stays valid").selectOption("no longer");
  await click("Make a new secret");
  await page.getByRole("link", { name: "Back" }).click();
  assert.equal(await page.getByRole("heading", { level: 1 }).textContent(), "Without scripts");

  const email = await refuseLetter(page);
  isRefusing = false;
  refused = undefined;
  const retryButton = page.getByRole("button", {
    name: `Try again now: E‑mail: confirmation, ${email}`,
  });
  await retryButton.click();
  assert.equal(await status(), "Tried again now: 1.");
  assert.equal(await retryButton.count(), 0);

  await page.getByRole("link", { name: "Data" }).click();
  await page.getByLabel("State").selectOption("Waiting");
  for (
    const [button, name, text] of [
      [
        "Download the list",
        /^waitlist-[\d-]{10}-waiting\.csv$/,
        /^\ufeffemail,createdAt,.*\r\nperson\.\d/,
      ],
      ["Download a backup", /^waitlist-backup-[\d-]{10}\.ndjson$/, /"kind":"end".*\n$/],
    ] as const
  ) {
    await t.step(button, async () => {
      const [download] = await Promise.all([page.waitForEvent("download"), click(button)]);
      assert.match(download.suggestedFilename(), name);
      assert.match(await Deno.readTextFile(await download.path()), text);
    });
  }
  await click("Check the counters");
  assert.match(await status() ?? "", /^The counters are right\./);
  await page.getByRole("link", { name: "Activity" }).click();
  for (const action of ["Made a backup", "Exported the list", "Tried e‑mails and events again"]) {
    assert.ok(await page.getByRole("rowheader", { name: action }).count() > 0, action);
  }
});
