import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { faultBeside, focused, LANGUAGES, newAddress, signUp } from "./sign_up.ts";
import { assertAdapts, assertSound, test, useSuite } from "./support.ts";

const suite = useSuite();

for (const { lang, home, refused, back, notAscii, consentRequired, thanks } of LANGUAGES) {
  test(`A refused sign-up form is shown again with the typed values when scripts are off (${lang})`, async () => {
    await using visitor = await suite.visit(home, { scripts: false });
    const { page } = visitor;
    const heading = page.getByRole("heading", { level: 1 });
    const form = page.locator("#sign-up-again form");
    await letThrough(visitor.page);
    await signUp(page.locator("#sign-up-cta form"), "jörg@example.com");
    await heading.filter({ hasText: refused }).waitFor();
    assert.equal(await page.locator("html").getAttribute("lang"), lang);
    assert.match(await faultBeside(form, "email").textContent() ?? "", notAscii);
    const email = form.getByRole("textbox");
    assert.equal(await email.inputValue(), "jörg@example.com");
    assert(await focused(email));
    assert(await form.getByRole("checkbox").isChecked());

    // The next fault, and then none.
    await letThrough(visitor.page);
    await email.fill(newAddress());
    await form.getByRole("checkbox").uncheck();
    await form.getByRole("button").click();
    await faultBeside(form, "consent").filter({ hasText: consentRequired }).waitFor();
    await form.getByRole("checkbox").check();
    await form.getByRole("button").click();
    await page.waitForURL(`**${thanks.path}`);
  });

  test(`axe finds no fault on the page of a refused form, and the page fits a narrow window (${lang})`, async () => {
    await using visitor = await suite.visit(home, { width: 390 });
    const { page } = visitor;
    // Posts as a page without scripts does; axe itself is a script.
    await page.evaluate("document.querySelector('#sign-up-hero form').submit()");
    await page.getByRole("heading", { name: refused }).waitFor();
    await assertSound(page);
    await assertAdapts(page);
    await page.getByRole("link", { name: back }).click();
    await page.waitForURL(`**${home}`);
  });
}

/** Turns the browser's own checks off, which older browsers and other programs do not have. */
async function letThrough(page: Page): Promise<void> {
  for (const form of await page.locator("form").all()) {
    await form.evaluate((form) => form.setAttribute("novalidate", ""));
  }
}
