import assert from "node:assert/strict";
import { SOURCES } from "../../../shared/schemas.ts";
import { faultBeside, focused, LANGUAGES, newAddress, oneMore, signUp } from "./sign_up.ts";
import { test, useSuite } from "./support.ts";

const suite = useSuite();

for (const { lang, home, thanks, done, echo } of LANGUAGES) {
  for (const source of SOURCES) {
    test(`The sign-up form opens the thanks page when scripts are off (${lang}, ${source})`, async () => {
      const before = await suite.statistics();
      await using visitor = await suite.visit(home, { scripts: false });
      const { page } = visitor;
      await signUp(page.locator(`#sign-up-${source} form`), newAddress());
      await page.waitForURL(`**${thanks.path}`);
      assert.equal(await page.getByRole("heading", { level: 1 }).textContent(), thanks.heading);
      assert.equal(await page.locator("html").getAttribute("lang"), lang);
      assert.deepEqual(await suite.statistics(), oneMore(before, lang, source));
    });

    test(`The sign-up form is replaced by words of thanks when scripts are on (${lang}, ${source})`, async () => {
      const before = await suite.statistics();
      await using visitor = await suite.visit(home, { width: 390 });
      const { page } = visitor;
      const part = page.locator(`#sign-up-${source}`);
      const address = newAddress();
      await signUp(part.locator("form"), address);
      const message = part.locator(".done");
      await message.waitFor();
      assert(await focused(message), "the focus is on the news");
      for (const each of SOURCES.map((source) => page.locator(`#sign-up-${source}`))) {
        assert.equal(await each.locator(".done-title").textContent(), done);
        const text = await each.locator(".done p").nth(1).textContent();
        assert.equal(text, echo.replace("{email}", address));
        assert(await each.locator("form").isHidden());
        const [outer, inner] = [
          await each.boundingBox(),
          await each.locator(".done").boundingBox(),
        ];
        assert.equal(outer?.height, inner?.height, "the form leaves no hole");
      }
      assert.equal(new URL(page.url()).pathname, home);
      assert.deepEqual(await suite.statistics(), oneMore(before, lang, source));
      assert.deepEqual(visitor.complaints, []);
    });
  }
}

for (const language of LANGUAGES) {
  const {
    lang,
    home,
    correct,
    didYouMean,
    invalidEmail,
    notAscii,
    invisible,
    space,
    consentRequired,
  } = language;
  test(`The sign-up form comes back with the typed address when the visitor wants to correct it (${lang})`, async () => {
    await using visitor = await suite.visit(home);
    const part = visitor.page.locator("#sign-up-hero");
    const form = part.locator("form");
    const [wrong, right] = [newAddress(), newAddress()];
    await signUp(form, wrong);
    await part.getByRole("button", { name: correct }).click();
    const email = form.getByRole("textbox");
    assert(await focused(email));
    assert.equal(await email.inputValue(), wrong);
    assert(await visitor.page.locator("#sign-up-cta form").isVisible());
    assert(await part.locator(".done").isHidden());
    await visitor.page.keyboard.type(right);
    await form.getByRole("button").click();
    await part.getByText(right).waitFor();
  });

  test(`The sign-up form shows a fault beside each wrong field when the visitor sends the form (${lang})`, async (t) => {
    await using visitor = await suite.visit(home);
    const form = visitor.page.locator("#sign-up-hero form");
    const email = form.getByRole("textbox");
    const consent = form.getByRole("checkbox");
    const button = form.getByRole("button");
    const [ofEmail, ofConsent] = [faultBeside(form, "email"), faultBeside(form, "consent")];

    await button.click();
    assert.equal(await ofEmail.textContent(), invalidEmail);
    assert.equal(await ofConsent.textContent(), consentRequired);
    assert(await focused(email));
    for (const [field, fault] of [[email, ofEmail], [consent, ofConsent]] as const) {
      assert.equal(await field.getAttribute("aria-invalid"), "true");
      assert.equal(await field.getAttribute("aria-describedby"), await fault.getAttribute("id"));
    }

    await email.fill("ada@example.com");
    assert(await ofEmail.isHidden(), "a fault goes when it is mended");
    assert.equal(await email.getAttribute("aria-invalid"), "false");
    await button.click();
    assert(await focused(consent));
    assert.equal(await ofConsent.textContent(), consentRequired);

    // A likely typing error is a hint with a button that corrects it, and no error.
    await email.fill("ada@gmial.com");
    await email.blur();
    const corrected = form.getByRole("button", { name: "ada@gmail.com" });
    assert.equal(
      await corrected.locator("..").textContent(),
      didYouMean.replace("{address}", "ada@gmail.com"),
    );
    await corrected.click();
    assert.equal(await email.inputValue(), "ada@gmail.com");
    assert.equal(await corrected.count(), 0);
    assert(await focused(email));

    await email.fill("jörg@example.com");
    await consent.check();
    assert(await ofConsent.isHidden());
    await button.click();
    assert.match(await ofEmail.textContent() ?? "", notAscii);
    for (
      const [address, fault] of [["ada\u200b@example.com", invisible], [
        "ada@example.com\u00a0",
        space,
      ]]
    ) {
      await t.step(JSON.stringify(address), async () => {
        await email.fill(address!);
        await button.click();
        assert.equal(await ofEmail.textContent(), fault);
      });
    }
    assert(!visitor.requests.some((url) => url.includes("/api/")), "nothing was sent");

    // An address that the browser takes and the server does not.
    await email.fill("ada@example.123");
    const answer = visitor.page.waitForResponse("**/api/v1/waitlist");
    await button.click();
    assert.equal((await answer).status(), 422);
    await ofEmail.filter({ hasText: invalidEmail }).waitFor();
    assert(await focused(email));
  });
}
