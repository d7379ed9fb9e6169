import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { requestTo } from "../../support/process.ts";
import { operate } from "../../support/process_requests.ts";
import { type SmtpServer, startSmtpServer } from "../../support/smtp_server.ts";
import { newAddress, signUp } from "./sign_up.ts";
import {
  assertAdapts,
  assertAtHome,
  assertFits,
  assertVisibleUnderMouse,
  startSuite,
} from "./support.ts";
import { type Suite, test, violations } from "./support.ts";

let mail: SmtpServer;
let suite: Suite;
Deno.test.beforeAll(async () => {
  mail = await startSmtpServer();
  suite = await startSuite({ MAIL_URL: mail.url, MAIL_FROM: "Waitlist <list@example.com>" });
});
Deno.test.afterAll(async () => {
  await suite.stop();
  await mail[Symbol.asyncDispose]();
});

const LANGUAGES = [
  {
    home: "/",
    thanks: "/thanks/",
    place: "/place/",
    sent: "/place/sent/",
    left: "/place/left/",
    headings: {
      thanks: "Check your inbox",
      unconfirmed: "One step to go",
      waiting: "You are on the list",
      invited: "There is a place for you",
      sent: "Check your inbox",
      left: "You have left the list",
      leaving: "Leave the list?",
      gone: "This link does not work",
    },
    buttons: {
      confirm: "Yes, confirm my place",
      data: "Download my data",
      leave: "Leave the list",
      sure: "Yes, erase my entry",
      ask: "Send me my link",
      invitation: "Accept my invitation",
    },
    letter: "is new to us, a link to confirm it is on its way.",
  },
  {
    home: "/de/",
    thanks: "/de/danke/",
    place: "/de/platz/",
    sent: "/de/platz/gesendet/",
    left: "/de/platz/verlassen/",
    headings: {
      thanks: "Schauen Sie in Ihr Postfach",
      unconfirmed: "Nur noch ein Schritt",
      waiting: "Sie stehen auf der Liste",
      invited: "Ein Platz für Sie ist frei",
      sent: "Schauen Sie in Ihr Postfach",
      left: "Sie haben die Liste verlassen",
      leaving: "Die Liste verlassen?",
      gone: "Dieser Link funktioniert nicht",
    },
    buttons: {
      confirm: "Ja, meinen Platz bestätigen",
      data: "Meine Daten herunterladen",
      leave: "Liste verlassen",
      sure: "Ja, meinen Eintrag löschen",
      ask: "Link zuschicken",
      invitation: "Einladung annehmen",
    },
    letter: "neu bei uns, ist ein Link zum Bestätigen schon unterwegs.",
  },
];

/** Opens all folded parts of a page. */
const OPEN_ALL = "document.querySelectorAll('details').forEach((each) => each.open = true)";

const heading = (page: Page) => page.getByRole("heading", { level: 1 }).textContent();

/** Waits for a number of letters to an address, and gives the link of the last one. */
async function linkFor(email: string, count: number): Promise<string> {
  const address = email.toLowerCase();
  const lettersTo = () => mail.letters.filter(({ to }) => to.includes(address));
  await mail.until(() => lettersTo().length >= count);
  const { text = "" } = lettersTo().at(-1)!.mail;
  const link = /https?:\/\/\S+\/\?t=[\w.-]+/.exec(text)?.[0];
  assert(link, text);
  return link;
}

/** Asserts that a page has no fault that axe, its width or its requests tell of. */
async function assertSound(page: Page): Promise<void> {
  await assertFits(page);
  await assertAdapts(page);
  assert.deepEqual(await page.context().cookies(), []);
}

/** Invites a person. */
async function invite(email: string): Promise<void> {
  const wave = { wave: email.slice(0, 10), emails: [email], link: INVITATION };
  const service = { request: requestTo(suite.baseUrl) };
  const response = await operate(service, "/waves", wave);
  assert.match(await response.text(), /"invited":1/);
}

const INVITATION = "https://app.example.com/welcome?code={code}";

for (const { home, thanks, place, sent, left, headings, buttons, letter } of LANGUAGES) {
  test(`A person without scripts signs up on ${home}, follows the link in the letter and uses the self-service page`, async () => {
    const email = newAddress();
    await using visitor = await suite.visit(home, { scripts: false });
    const { page } = visitor;
    await signUp(page.locator("#sign-up-hero form"), email);
    await page.waitForURL(`**${thanks}`);
    assert.equal(await heading(page), headings.thanks);

    const link = await linkFor(email, 1);
    await page.goto(link);
    assert.equal(await heading(page), headings.unconfirmed);
    assert(await page.locator(".address").getByText(email.toLowerCase()).isVisible());
    await page.getByRole("button", { name: buttons.confirm }).click();
    await page.waitForURL(link);
    assert.equal(await heading(page), headings.waiting);
    assert.equal(await page.getByRole("button", { name: buttons.confirm }).count(), 0);

    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: buttons.data }).click();
    const download = await downloading;
    assert.equal(download.suggestedFilename(), "waitlist-data.json");
    const data = JSON.parse(await Deno.readTextFile(await download.path()));
    assert.equal(data.email, email.toLowerCase());
    assert.equal(data.state, "waiting");
    assert.match(data.wording.text, /Example Company/);

    await page.goto(place);
    await page.getByRole("textbox").fill(email);
    await page.getByRole("button", { name: buttons.ask }).click();
    await page.waitForURL(`**${sent}`);
    assert.equal(await heading(page), headings.sent);

    await page.goto(await linkFor(email, 2));
    await page.getByRole("button", { name: buttons.leave }).click();
    await page.getByRole("heading", { name: headings.leaving }).waitFor();
    await page.getByRole("button", { name: buttons.sure }).click();
    await page.waitForURL(`**${left}`);
    assert.equal(await heading(page), headings.left);
    const response = await page.goto(link);
    assert.equal(response?.status(), 404);
    assert.equal(await heading(page), headings.gone);
    assertAtHome(visitor, suite);
  });

  test(`axe finds no fault on the self-service page, and the page fits a narrow window (${place})`, async (t) => {
    // A long address without a place to break it at.
    const email = `long${home.length}${"x".repeat(50)}@${"y".repeat(60)}.example.com`;
    await using visitor = await suite.visit(home);
    const { page } = visitor;
    const form = page.locator("#sign-up-hero");
    await page.setViewportSize({ width: 320, height: 800 });
    await signUp(form.locator("form"), email);
    const done = form.locator(".done");
    await done.waitFor();
    const message = await done.textContent() ?? "";
    assert(message.includes(email), "the form's message names the address");
    assert(message.replace(/\s+/g, " ").includes(letter), message);
    await assertSound(page);

    const link = await linkFor(email, 1);
    for (const step of ["unconfirmed", "waiting", "invited"] as const) {
      await t.step(step, async () => {
        await page.goto(link);
        assert.equal(await heading(page), headings[step]);
        assert.deepEqual(await violations(page), []);
        await page.evaluate(OPEN_ALL);
        assert.deepEqual(await violations(page), [], `${step}, all parts open`);
        await assertSound(page);
        if (step === "unconfirmed") {
          await page.getByRole("button", { name: buttons.confirm }).click();
          await page.waitForURL(link);
        }
        if (step === "waiting") await invite(email.toLowerCase());
        if (step === "invited") await assertVisibleUnderMouse(page, buttons.invitation);
      });
    }
    assert.deepEqual(visitor.complaints, []);
  });
}

test("The self-service page sends its URL in no Referer header, not even to the service itself", async () => {
  const email = newAddress();
  await using visitor = await suite.visit("/", { scripts: false });
  const { page } = visitor;
  await signUp(page.locator("#sign-up-hero form"), email);
  await page.waitForURL("**/thanks/");
  const referrers: (string | undefined)[] = [];
  page.on("request", (request) => referrers.push(request.headers()["referer"]));
  const link = await linkFor(email, 1);
  await page.goto(link);
  const { place, headings, buttons } = LANGUAGES[1]!;
  await page.getByRole("link", { name: "Deutsch" }).click();
  await page.waitForURL(link.replace("/place/", place));
  assert.equal(await heading(page), headings.unconfirmed);
  await page.getByRole("button", { name: buttons.confirm }).click();
  await page.getByRole("heading", { level: 1, name: headings.waiting }).waitFor();
  await page.getByRole("link", { name: "English" }).click();
  await page.waitForURL(link);
  assert.equal(await heading(page), LANGUAGES[0]!.headings.waiting);
  await page.getByRole("link", { name: "Privacy", exact: true }).click();
  await page.waitForURL("**/privacy/");
  assert(referrers.length > 2);
  assert(referrers.every((referrer) => !referrer?.includes("t=")), referrers.join());
});
