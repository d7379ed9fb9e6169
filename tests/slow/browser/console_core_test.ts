import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { OPERATOR_KEY } from "../../support/operator.ts";
import type { ConsoleSuite } from "./console.ts";
import { assertAtHome, assertSound, startConsoleSuite, testLanguages } from "./console.ts";
import { test } from "./support.ts";

let suite: ConsoleSuite;
Deno.test.beforeAll(async () => {
  suite = await startConsoleSuite(500);
});
Deno.test.afterAll(() => suite.stop());

/** Types into the field that has the focus. Waits for the focus, which the browser sets some time after loading. */
async function typeKey(page: Page, key: string): Promise<void> {
  await page.locator("#key:focus").waitFor();
  await page.keyboard.type(key);
}

testLanguages(
  "On the console's pages, axe finds no fault, the browser logs no error, and nothing is wider than the window",
  async (look) => {
    await using visitor = await suite.open("/operator/", look);
    const { page } = visitor;
    for (const summary of await page.locator("summary").all()) await summary.click();
    await assertSound(page);
    assertAtHome(visitor, suite);

    await using stranger = await suite.visit("/operator/", look);
    assert.equal(new URL(stranger.page.url()).pathname, "/operator/sign-in/");
    await typeKey(stranger.page, "a wrong key");
    await stranger.page.keyboard.press("Enter");
    await stranger.page.getByRole("alert").waitFor();
    await assertSound(stranger.page);
  },
);

test("An operator signs in to the console, reads the overview and signs out by keyboard, without scripts", async () => {
  await using visitor = await suite.visit("/operator/", { scripts: false, width: 390 });
  const { page } = visitor;
  await typeKey(page, OPERATOR_KEY);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  assert.equal(await page.locator("dt", { hasText: "on the list" }).count(), 1);
  await page.keyboard.press("Tab");
  assert.equal(await page.locator(":focus").textContent(), "Skip to the content");
  for (let steps = 0; await page.locator("button:focus").count() === 0; steps++) {
    assert.ok(steps < 20, "the button to sign out has the focus within 20 steps");
    await page.keyboard.press("Tab");
  }
  await page.keyboard.press("Enter");
  await page.waitForURL("**/operator/sign-in/?signed-out");
  await page.getByRole("status").getByText("You are signed out.").waitFor();
  assert.deepEqual(await page.context().cookies(), []);
});

test("The console shows no data when a signed-out operator presses the browser's back button", async () => {
  await using visitor = await suite.open("/operator/people/");
  const { page } = visitor;
  await page.getByLabel("Address, or a part of it").fill("person");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/operator/people/?q=*");
  assert.equal((await page.context().cookies()).length, 1);
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL("**/operator/sign-in/?signed-out");
  assert.deepEqual(await page.context().cookies(), []);
  for (let steps = 0; steps < 3; steps++) {
    await page.goBack();
    await page.waitForLoadState();
    assert.equal(await page.getByText("Signed in as").count(), 0, page.url());
    assert.equal(await page.locator("#key").count(), 1, page.url());
  }
});

test("The console refuses a form that another origin sends, and does not appear in a frame of another origin", async () => {
  await using other = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    () =>
      new Response(
        `<!doctype html><title>x</title><iframe src="${suite.baseUrl}/operator/"></iframe>
<form method="post" action="${suite.baseUrl}/operator/sign-in/"><input name="key" value="${OPERATOR_KEY}">
<button>Send</button></form>`,
        { headers: { "Content-Type": "text/html" } },
      ),
  );
  await using visitor = await suite.open("/operator/");
  const { page } = visitor;
  await page.goto(`http://localhost:${other.addr.port}/`);
  await page.waitForLoadState();
  const [, frame] = page.frames();
  assert.ok(frame && !frame.url().startsWith(suite.baseUrl), frame?.url());
  const answer = page.waitForResponse(`${suite.baseUrl}/operator/sign-in/`);
  await page.getByRole("button").click();
  assert.equal((await answer).status(), 403);
});
