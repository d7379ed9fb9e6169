/** People recommend the list: from the form to the letter, the page, the link and the next person's form. @module */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { type SmtpServer, startSmtpServer } from "../../support/smtp_server.ts";
import { LANGUAGES, newAddress, signUp } from "./sign_up.ts";
import { assertAdapts, assertFits, startSuite, type Suite, test, violations } from "./support.ts";

let mail: SmtpServer;
let suite: Suite;
Deno.test.beforeAll(async () => {
  mail = await startSmtpServer();
  suite = await startSuite({
    MAIL_URL: mail.url,
    MAIL_FROM: "Waitlist <list@example.com>",
    REFERRALS: "on",
  });
});
Deno.test.afterAll(async () => {
  await suite.stop();
  await mail[Symbol.asyncDispose]();
});

/** The folder for pictures of the pages, if somebody wants to look at them. */
const PICTURES = Deno.env.get("PICTURES");

async function takePictures(page: Page, name: string): Promise<void> {
  if (!PICTURES) return;
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: `${PICTURES}/${name}-${colorScheme}.png`, fullPage: true });
  }
}

const TEXTS = {
  en: { confirm: "Yes, confirm my place", one: "One person has joined through your link." },
  de: {
    confirm: "Ja, meinen Platz bestätigen",
    one: "Über Ihren Link hat sich eine Person angemeldet.",
  },
};

/** Opens the link of the letter to an address, and confirms the address there. */
async function confirm(page: Page, email: string, lang: "en" | "de"): Promise<string> {
  const address = email.toLowerCase();
  const letterTo = () => mail.letters.find(({ to }) => to.includes(address));
  await mail.until(() => letterTo() !== undefined);
  const { text = "" } = letterTo()!.mail;
  assert.doesNotMatch(text, /[?&]r=/, "the letter has nothing of referrals");
  const link = /https?:\/\/\S+\/\?t=[\w.-]+/.exec(text)![0];
  await page.goto(link);
  await page.getByRole("button", { name: TEXTS[lang].confirm }).click();
  await page.locator("#referral-link").waitFor();
  return link;
}

for (const { lang, home } of LANGUAGES) {
  for (const scripts of [true, false]) {
    test(`A person recommends the list, and another person joins by the link, with scripts ${scripts ? "on" : "off"} (${lang})`, async () => {
      await using ada = await suite.visit(home, { scripts });
      const email = newAddress();
      await signUp(ada.page.locator("#sign-up-hero form"), email);
      await ada.page.locator(scripts ? ".done:not([hidden])" : "h1").first().waitFor();
      const page = await confirm(ada.page, email, lang);
      const link = await ada.page.locator("#referral-link").inputValue();
      assert(link.startsWith(`${suite.baseUrl}${home}?r=`), link);
      assert.equal(await ada.page.locator(".line").isVisible(), true);
      assert.equal(await ada.page.locator("#copy-link").isVisible(), scripts);

      await using bob = await suite.visit(`${link}&utm_source=friend`, { scripts });
      const other = newAddress();
      // The other language and a refused form keep the code and the campaign.
      await bob.page.locator(".site-header a[hreflang]").click();
      await bob.page.locator(".site-header a[hreflang]").click();
      await bob.page.locator("#sign-up-hero form").evaluate((form) =>
        form.setAttribute("novalidate", "")
      );
      await bob.page.locator("#sign-up-hero button[type=submit]").click();
      await bob.page.locator(".fault:not(:empty)").first().waitFor();
      const form = bob.page.locator("form").first();
      const query = `${new URL(link).search}&utm_source=friend`;
      assert.equal(await form.getAttribute("action"), `/api/v1/waitlist${query}`);
      await signUp(form, other);
      await confirm(bob.page, other, lang);
      await ada.page.goto(page);
      await ada.page.getByText(TEXTS[lang].one).waitFor();
      // The browser complains of the refused form itself.
      const complaints = [...ada.complaints, ...bob.complaints];
      assert.deepEqual(complaints.filter((text) => !text.includes("status of 422")), []);
      const origins = ada.requests.map((url) => new URL(url).origin);
      assert.deepEqual([...new Set(origins)], [suite.baseUrl], "nothing is loaded from elsewhere");
    });
  }

  test(`axe finds no fault on the self-service page with the referral link, and the page fits a narrow window (${lang})`, async () => {
    await using visitor = await suite.visit(home);
    const { page } = visitor;
    await takePictures(page, `home-${lang}`);
    const email = newAddress();
    await signUp(page.locator("#sign-up-hero form"), email);
    await confirm(page, email, lang);
    assert.deepEqual(await violations(page), []);
    await takePictures(page, `person-${lang}`);
    await page.setViewportSize({ width: 390, height: 800 });
    await takePictures(page, `person-${lang}-phone`);
    await assertFits(page);
    await assertAdapts(page);
    assert.deepEqual(await page.context().cookies(), []);
  });
}

test("A button of the self-service page, pressed by keyboard, copies the referral link and says that the link is copied", async () => {
  await using visitor = await suite.visit("/");
  const { page } = visitor;
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const email = newAddress();
  await signUp(page.locator("#sign-up-hero form"), email);
  await confirm(page, email, "en");
  // The script that shows the button also selects the link when the link gets the focus.
  await page.locator("#copy-link").waitFor();
  await page.locator("#referral-link").focus();
  const selected = await page.evaluate("getSelection().toString()");
  const link = await page.locator("#referral-link").inputValue();
  assert.equal(selected, link);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByRole("status").filter({ hasText: "The link is copied." }).waitFor();
  assert.equal(await page.evaluate("navigator.clipboard.readText()"), link);
});
