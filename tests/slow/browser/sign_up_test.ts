import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import type { WaitlistStats } from "../../../shared/schemas.ts";
import { newAddress, signUp, withoutTime } from "./sign_up.ts";
import { startSuite, type Suite, UNSANITIZED } from "./support.ts";

let suite: Suite;
Deno.test.beforeAll(async () => {
  suite = await startSuite();
});
Deno.test.afterAll(() => suite.stop());

const LANGUAGES = [
  {
    lang: "en",
    home: "/",
    submit: "Join the waitlist",
    sending: "Sending …",
    done: "You are on the list.",
    thanks: { path: "/thanks/", heading: "You are on the list" },
    invalidEmail: "Please enter an e-mail address such as ada@example.com.",
    consentRequired: "Please tick the box; without your consent we cannot sign you up.",
    rateLimited: /^That was a few attempts too many\. Please try again in ([1-9]\d?) seconds\.$/,
    failed: "That did not work. Please try again in a moment.",
  },
  {
    lang: "de",
    home: "/de/",
    submit: "Auf die Warteliste",
    sending: "Wird gesendet …",
    done: "Sie stehen auf der Liste.",
    thanks: { path: "/de/danke/", heading: "Sie stehen auf der Liste" },
    invalidEmail: "Bitte geben Sie eine E-Mail-Adresse wie ada@example.com ein.",
    consentRequired: "Bitte setzen Sie das Häkchen; ohne Ihre Einwilligung geht es nicht.",
    rateLimited:
      /^Das waren zu viele Versuche\. Bitte versuchen Sie es in ([1-9]\d?) Sekunden noch einmal\.$/,
    failed: "Das hat leider nicht geklappt. Bitte versuchen Sie es gleich noch einmal.",
  },
] as const;

const SOURCES = ["hero", "cta"] as const;

/** The statistics with one more sign-up of a language by a form. */
function oneMore(stats: WaitlistStats, lang: string, source: string): WaitlistStats {
  return {
    ...stats,
    total: stats.total + 1,
    last7Days: stats.last7Days + 1,
    last30Days: stats.last30Days + 1,
    byLang: { ...stats.byLang, [lang]: (stats.byLang[lang] ?? 0) + 1 },
    bySource: { ...stats.bySource, [source]: (stats.bySource[source] ?? 0) + 1 },
  };
}

/** Whether an element has the focus. */
const focused = (locator: Locator) =>
  locator.evaluate((element) => element === element.ownerDocument.activeElement);

for (const { lang, home, thanks, done } of LANGUAGES) {
  for (const source of SOURCES) {
    Deno.test({
      name: `sign-up form leads to the thanks page when scripts are off (${lang}, ${source})`,
      ...UNSANITIZED,
      async fn() {
        const before = await suite.statistics();
        await using visitor = await suite.visit(home, { scripts: false });
        const { page } = visitor;
        await signUp(page.locator(`#sign-up-${source} form`), newAddress());
        await page.waitForURL(`**${thanks.path}`);
        assert.equal(await page.getByRole("heading", { level: 1 }).textContent(), thanks.heading);
        assert.equal(await page.locator("html").getAttribute("lang"), lang);
        const after = await suite.statistics();
        assert.deepEqual(withoutTime(after), withoutTime(oneMore(before, lang, source)));
      },
    });

    Deno.test({
      name: `sign-up form says so in its place when scripts are on (${lang}, ${source})`,
      ...UNSANITIZED,
      async fn() {
        const before = await suite.statistics();
        await using visitor = await suite.visit(home);
        const { page } = visitor;
        const signUpForm = page.locator(`#sign-up-${source}`);
        const height = (await signUpForm.boundingBox())?.height;
        await signUp(signUpForm.locator("form"), newAddress());
        const message = signUpForm.locator(".done");
        await message.waitFor();
        assert.equal(await message.locator(".done-title").textContent(), done);
        assert(await focused(message), "the focus is on the news");
        assert.equal(await signUpForm.getByRole("button").count(), 0, "the form is gone");
        assert.equal((await signUpForm.boundingBox())?.height, height, "nothing moved");
        assert.equal(new URL(page.url()).pathname, home);
        const after = await suite.statistics();
        assert.deepEqual(withoutTime(after), withoutTime(oneMore(before, lang, source)));
        assert.deepEqual(visitor.complaints, []);
      },
    });
  }
}

for (const { lang, home, submit, sending, invalidEmail, consentRequired, failed } of LANGUAGES) {
  Deno.test({
    name: `sign-up form says what to mend and moves the focus there when it is wrong (${lang})`,
    ...UNSANITIZED,
    async fn() {
      await using visitor = await suite.visit(home);
      const form = visitor.page.locator("#sign-up-hero form");
      const email = form.getByRole("textbox");
      const consent = form.getByRole("checkbox");
      const button = form.getByRole("button");
      const message = form.getByRole("alert");

      await button.click();
      assert.equal(await message.textContent(), invalidEmail);
      assert(await focused(email));
      assert.equal(await email.getAttribute("aria-invalid"), "true");
      assert.equal(
        await email.getAttribute("aria-describedby"),
        await message.getAttribute("id"),
      );

      await email.fill("ada@example.com");
      await button.click();
      assert.equal(await message.textContent(), consentRequired);
      assert(await focused(consent));
      assert.equal(await email.getAttribute("aria-invalid"), null);

      // An address that the browser takes and the server does not.
      await email.fill("ada@example.123");
      await consent.check();
      const answer = visitor.page.waitForResponse("**/api/v1/waitlist");
      await button.click();
      assert.equal((await answer).status(), 422);
      await form.locator("[aria-invalid=true]").waitFor();
      assert.equal(await message.textContent(), invalidEmail);
      assert(await focused(email));
    },
  });

  Deno.test({
    name: `sign-up form is busy once while it is sent, and says so when that fails (${lang})`,
    ...UNSANITIZED,
    async fn() {
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
      await page.locator("#sign-up-cta form[aria-busy=false]").waitFor();
      const message = form.getByRole("alert");
      await message.filter({ hasText: failed }).waitFor();
      assert(await focused(message));
      assert(await button.isEnabled());
      assert.equal(await button.textContent(), submit);
    },
  });
}

for (const { lang, home, rateLimited } of LANGUAGES) {
  Deno.test({
    name: `sign-up form tells the seconds to wait when the limit is reached (${lang})`,
    ...UNSANITIZED,
    async fn() {
      // A window may end between the last request and the form's; then the form succeeds, once.
      for (let attempt = 1;; attempt++) {
        await using visitor = await suite.visit(home);
        await exhaustLimit(visitor.address);
        const signUpForm = visitor.page.locator("#sign-up-hero");
        const answer = visitor.page.waitForResponse("**/api/v1/waitlist");
        await signUp(signUpForm.locator("form"), newAddress());
        const response = await answer;
        if (response.status() === 200 && attempt < 3) continue;
        assert.equal(response.status(), 429);
        const message = signUpForm.getByRole("alert");
        await message.filter({ hasText: /\d/ }).waitFor();
        const [, seconds] = rateLimited.exec(await message.textContent() ?? "") ?? [];
        assert.equal(seconds, response.headers()["retry-after"]);
        assert(await focused(message));
        assert(await signUpForm.getByRole("button").isEnabled());
        break;
      }
    },
  });
}

async function exhaustLimit(address: string): Promise<void> {
  let status = 0;
  while (status !== 429) {
    const response = await fetch(`${suite.baseUrl}/api/v1/waitlist`, {
      method: "POST",
      headers: { "X-Forwarded-For": address, "Content-Type": "application/json" },
      body: "{}",
    });
    await response.body?.cancel();
    status = response.status;
  }
}
