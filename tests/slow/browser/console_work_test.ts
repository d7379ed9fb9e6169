import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { listenTo, type Receiver } from "../../support/receiver.ts";
import { type ConsoleSuite, startConsoleSuite } from "./console.ts";
import { newAddress } from "./sign_up.ts";
import { UNSANITIZED, violations } from "./support.ts";

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
    WEBHOOK_URL: `${receiver.url}/hook`,
    WEBHOOK_SECRET: `whsec_${btoa("a secret of more than 24 bytes..")}`,
  });
  const client = { name: "Office screen on the third floor", scopes: ["waitlist:stats:read"] };
  clientId = JSON.parse(await suite.operate("/clients", JSON.stringify(client))).client_id;
});
Deno.test.afterAll(async () => {
  await suite.stop();
  await receiver[Symbol.asyncDispose]();
});

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

const WIDTHS = [320, 390, 768, 1280, 1920];

for (const colorScheme of ["light", "dark"] as const) {
  for (const locale of ["en-GB", "de-DE"]) {
    Deno.test({
      name:
        `pages of clients, letters, activity and data have no fault (${colorScheme}, ${locale})`,
      ...UNSANITIZED,
      async fn() {
        await using visitor = await suite.open("/operator/clients/", { colorScheme, locale });
        const { page } = visitor;
        const check = async () => {
          assert.deepEqual(await violations(page), [], page.url());
          for (const width of WIDTHS) {
            await page.setViewportSize({ width, height: 800 });
            const scrollWidth = await page.evaluate("document.documentElement.scrollWidth");
            assert.equal(scrollWidth, width, page.url());
          }
        };
        /** Sends the form with such a value, and checks the page that answers. */
        const send = async (value: string) => {
          const button = page.locator(`form:has([value="${value}"]) button`).first();
          await Promise.all([page.waitForEvent("domcontentloaded"), button.click()]);
          await check();
        };
        await check();
        await page.locator("#name").fill("Dashboard");
        await send("yes");
        await page.goto(`/operator/clients/client/?id=${clientId}&done=disabled`);
        await check();
        await page.locator("#overlap").selectOption("0");
        await send("rotate");
        const email = await refuseLetter(page);
        for (const list of ["?list=waiting", "?list=refused"]) {
          await page.goto(`/operator/outbox/${list}`);
          await check();
        }
        assert.equal(await page.getByText(email).count(), 1);
        await send("test");
        await page.goto("/operator/activity/?operator=operator");
        await check();
        await page.goto("/operator/data/");
        await check();
        await send("verify");
        await page.goto("/operator/data/");
        await send("repair");
        await send("yes");
        const expected = visitor.complaints.filter((text) => !/status of 4\d\d/.test(text));
        assert.deepEqual(expected, []);
        const elsewhere = visitor.requests.filter((url) => !url.startsWith(`${suite.baseUrl}/`));
        assert.deepEqual(elsewhere, []);
        assert.ok(visitor.requests.every((url) => !decodeURIComponent(url).includes("@")));
      },
    });
  }
}

Deno.test("secret is copied by a button where scripts run", UNSANITIZED, async () => {
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

Deno.test("clients, letters and data are worked on without scripts", UNSANITIZED, async () => {
  await using visitor = await suite.open("/operator/clients/", { scripts: false, width: 390 });
  const { page } = visitor;
  const click = (name: string) => page.getByRole("button", { name }).click();
  const status = () => page.getByRole("status").textContent();
  await page.getByLabel("Name").fill("Without scripts");
  await click("Create a client");
  assert.equal(await page.getByRole("button", { name: "Copy" }).count(), 0);
  assert.match(await page.locator(".secrets pre").last().textContent() ?? "", /^[\w-]{43}$/);
  await page.getByRole("link", { name: "I have kept the secret" }).click();
  const back = await page.goBack();
  assert.deepEqual([back?.status(), back?.request().method()], [200, "GET"]);
  assert.equal(await page.locator(".secrets").count(), 0);
  await click("Disable");
  assert.match(await status() ?? "", /^The client is disabled\./);
  await click("Enable");
  assert.match(await status() ?? "", /^The client is enabled/);
  await page.getByLabel("The present secret stays valid").selectOption("no longer");
  await click("Make a new secret");
  await page.getByRole("link", { name: "Cancel" }).click();
  assert.equal(await page.getByRole("heading", { level: 1 }).textContent(), "Without scripts");

  const email = await refuseLetter(page);
  isRefusing = false;
  refused = undefined;
  await page.getByRole("button", { name: `Try again now: Letter: confirmation, ${email}` }).click();
  assert.equal(await status(), "Made due at once: 1.");
  assert.equal(await page.getByText(email).count(), 0);
  await page.reload();
  assert.equal(await page.getByRole("status").count(), 0);

  await page.getByRole("link", { name: "Data" }).click();
  await page.getByLabel("State").selectOption("Waiting");
  for (
    const [button, name, text] of [
      ["Download the list", /^waitlist-[\d-]{10}\.csv$/, /^email,createdAt,.*\r\nperson\.\d/],
      ["Download a backup", /^waitlist-backup-[\d-]{10}\.ndjson$/, /"kind":"end".*\n$/],
    ] as const
  ) {
    const [download] = await Promise.all([page.waitForEvent("download"), click(button)]);
    assert.match(download.suggestedFilename(), name);
    assert.match(await Deno.readTextFile(await download.path()), text);
  }
  await click("Check the counters");
  assert.match(await status() ?? "", /^The counters are right\./);
  await page.getByRole("link", { name: "Activity" }).click();
  for (const action of ["Made a backup", "Exported the list", "Tried letters and events again"]) {
    assert.ok(await page.getByRole("rowheader", { name: action }).count() > 0, action);
  }
});
