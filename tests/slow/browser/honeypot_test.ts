import assert from "node:assert/strict";
import { newAddress, signUp } from "./sign_up.ts";
import { test, useSuite } from "./support.ts";

const suite = useSuite();

for (const scripts of [true, false]) {
  test(`The honeypot is hidden from people when scripts are ${scripts ? "on" : "off"}`, async () => {
    await using visitor = await suite.visit("/", { scripts });
    const { page } = visitor;
    const form = page.locator("#sign-up-hero form");
    const trap = form.locator("[name=website]");
    assert.equal(await trap.count(), 1);
    assert(await trap.isHidden());
    // What a screen reader is given of the form.
    assert.doesNotMatch(await form.ariaSnapshot(), /leave this field empty|website/i);
    assert.equal(await form.getByRole("textbox").count(), 1);
    await form.getByRole("textbox").focus();
    await page.keyboard.press("Tab");
    assert(await form.getByRole("checkbox").evaluate((element) => element.matches(":focus")));
  });
}

test("A sign-up whose honeypot a bot has filled in gets the usual answer and is not stored", async () => {
  const before = await suite.statistics();
  await using visitor = await suite.visit("/");
  const form = visitor.page.locator("#sign-up-hero form");
  await form.locator("[name=website]").evaluate((field) => field.setAttribute("value", "spam"));
  const sent = visitor.page.waitForRequest("**/api/v1/waitlist");
  await signUp(form, newAddress());
  await visitor.page.locator("#sign-up-hero .done").waitFor();
  assert.equal((await sent).postDataJSON().website, "spam");
  assert.deepEqual(await suite.statistics(), before);
});
