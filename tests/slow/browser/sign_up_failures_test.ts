import assert from "node:assert/strict";
import { focused, LANGUAGES, newAddress, signUp } from "./sign_up.ts";
import { exhaustLimit, test, useSuite } from "./support.ts";

const suite = useSuite();

for (const { lang, home, submit, sending, offline, failed, timedOut } of LANGUAGES) {
  test(`The sign-up form cannot be sent twice at the same time, and shows a message after the connection has failed (${lang})`, async () => {
    await using visitor = await suite.visit(home);
    const { page } = visitor;
    const form = page.locator("#sign-up-cta form");
    const button = form.getByRole("button");
    const sent = Promise.withResolvers<void>();
    const cut = Promise.withResolvers<void>();
    // Holds the request on its way, then cuts the line.
    await page.route("**/api/v1/waitlist", async (route) => {
      sent.resolve();
      await cut.promise;
      await route.abort();
    });
    await signUp(form, newAddress());
    await sent.promise;
    assert(await button.isDisabled());
    assert.equal(await button.textContent(), sending);
    assert.equal(await form.getAttribute("aria-busy"), "true");

    cut.resolve();
    const message = form.getByRole("alert");
    await message.filter({ hasText: offline }).waitFor();
    assert.equal(await form.getAttribute("aria-busy"), "false");
    assert(await focused(message));
    assert(await button.isEnabled());
    assert.equal(await button.textContent(), submit);
  });

  test(`The sign-up form says when the server has failed, and works at the next try (${lang})`, async () => {
    await using visitor = await suite.visit(home);
    const { page } = visitor;
    const part = page.locator("#sign-up-hero");
    const message = part.getByRole("alert");
    // A proxy's page is no JSON.
    const fault = { status: 502, contentType: "text/html", body: "<h1>Bad gateway</h1>" };
    await page.route("**/api/v1/waitlist", (route) => route.fulfill(fault), { times: 1 });
    await signUp(part.locator("form"), newAddress());
    await message.filter({ hasText: failed }).waitFor();
    assert(await focused(message));
    await part.locator("form").getByRole("button").click();
    await part.locator(".done").waitFor();
  });

  test(`The sign-up form gives up a request that has no answer after 15 seconds (${lang})`, async () => {
    await using visitor = await suite.visit("/imprint/");
    const { page } = visitor;
    await page.clock.install();
    await page.goto(home);
    const form = page.locator("#sign-up-hero form");
    const sent = Promise.withResolvers<void>();
    await page.route("**/api/v1/waitlist", () => sent.resolve());
    await signUp(form, newAddress());
    await sent.promise;
    await page.clock.fastForward(14_000);
    assert.equal(await form.getAttribute("aria-busy"), "true");
    await page.clock.fastForward(1_000);
    const message = form.getByRole("alert");
    await message.filter({ hasText: timedOut }).waitFor();
    assert(await form.getByRole("button").isEnabled());
  });
}

for (const { lang, home, rateLimited } of LANGUAGES) {
  for (const scripts of [true, false]) {
    test(`The sign-up form names the seconds to wait when the request limit is reached, scripts ${scripts ? "on" : "off"} (${lang})`, async () => {
      // A window may end between the last request and the form's; then the form succeeds, once.
      for (let attempt = 1;; attempt++) {
        await using visitor = await suite.visit(home, { scripts, locale: lang });
        const from = { "X-Forwarded-For": visitor.address };
        await exhaustLimit(suite, "/api/v1/waitlist", { method: "POST", headers: from });
        const answer = visitor.page.waitForResponse("**/api/v1/waitlist");
        await signUp(visitor.page.locator("#sign-up-hero form"), newAddress());
        const response = await answer;
        if (response.status() < 400 && attempt < 3) continue;
        assert.equal(response.status(), 429);
        const form = visitor.page.locator("form").first();
        const message = form.getByRole("alert");
        await message.filter({ hasText: /\d/ }).waitFor();
        const [, seconds] = rateLimited.exec(await message.textContent() ?? "") ?? [];
        assert.equal(seconds, response.headers()["retry-after"]);
        assert(await focused(message));
        assert(await form.getByRole("button").isEnabled());
        break;
      }
    });
  }
}
