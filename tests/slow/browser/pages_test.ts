import assert from "node:assert/strict";
import { serveInPieces } from "./in_pieces.ts";
import { assertAdapts, assertAtHome, assertSound, test, useSuite, violations } from "./support.ts";

const suite = useSuite();

const PATHS = [
  "/",
  "/de/",
  "/developers/",
  "/de/entwickler/",
  "/developers/changes/",
  "/thanks/",
  "/de/danke/",
  "/privacy/",
  "/de/datenschutz/",
  "/imprint/",
  "/de/impressum/",
  "/place/",
  "/de/platz/",
  "/place/sent/",
  "/de/platz/gesendet/",
  "/place/left/",
  "/de/platz/verlassen/",
  "/place/?t=none",
  "/de/platz/?t=none",
  "/pricing",
  "/de/preise",
];

/** Counts what moves from before the first paint; the browser leaves out what follows an input. */
const WATCH_SHIFTS = `window.shifts = 0; new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value;
}).observe({ type: "layout-shift", buffered: true })`;

/** The sum of layout shifts so far, once the browser has painted twice more. */
const SHIFTS = `new Promise((resolve) => requestAnimationFrame(() =>
  requestAnimationFrame(() => setTimeout(() => resolve(window.shifts)))))`;

for (const path of PATHS) {
  test(`On the page ${path}, axe finds no fault, the browser logs no error, and nothing is wider than the window`, async () => {
    await using visitor = await suite.visit(path);
    const { page } = visitor;
    await assertSound(page);
    await assertAdapts(page);
    assertAtHome(visitor, suite);
    assert.deepEqual(await page.context().cookies(), []);
  });
}

test("axe finds no fault on the home page after its sign-up form was used, and no fault on the developers page after each step", async (t) => {
  await using home = await suite.visit("/");
  const form = home.page.locator("#sign-up-hero form");
  await form.getByRole("button").click();
  await form.locator("[aria-invalid=true]").first().waitFor();
  assert.deepEqual(await violations(home.page), [], "with an error");
  await form.getByRole("textbox").fill("axe@example.com");
  await form.getByRole("checkbox").check();
  await form.getByRole("button").click();
  await home.page.locator("#sign-up-hero .done").waitFor();
  assert.deepEqual(await violations(home.page), [], "signed up");

  await using developers = await suite.visit("/developers/");
  const step = developers.page.locator(".try-it details[open]");
  for (const name of ["status", "token", "stats"]) {
    await t.step(name, async () => {
      assert.equal(await step.getAttribute("data-step"), name);
      await step.getByRole("button", { name: "Run this step" }).click();
      await step.locator("pre").nth(1).waitFor();
      assert.deepEqual(await violations(developers.page), [], `with the answer of ${name}`);
      await step.getByRole("button", { name: "Next step" }).click();
    });
  }
  assert.deepEqual(await violations(developers.page), [], "with the address");
});

/**
 * The windows that load pages at the same time, because they often wait for the next line. There are not more of them,
 * because each slowed window keeps a processor busy, and the tests of the cluster run beside this file.
 */
const WINDOWS = 2;

for (const width of [390, 1280]) {
  test(`The parts of a page do not move when the page arrives piece by piece on a slow machine (${width} px)`, async () => {
    await using proxy = serveInPieces(suite.baseUrl);
    const { baseUrl } = proxy;
    const paths = PATHS.values();
    async function loadInTurn(): Promise<void> {
      await using visitor = await suite.visit("/thanks/", { width, motion: true });
      const { page } = visitor;
      const devTools = await page.context().newCDPSession(page);
      await devTools.send("Emulation.setCPUThrottlingRate", { rate: 8 });
      for (const path of paths) {
        // The limit of 30 seconds of a page is too short, because a page comes line by line and the machine may be busy.
        await page.goto(baseUrl + path, { timeout: 120_000 });
        assert(await page.locator("footer").isVisible(), path);
        await page.evaluate(WATCH_SHIFTS);
        assert.equal(await page.evaluate(SHIFTS), 0, path);
      }
    }
    await Promise.all(Array.from({ length: WINDOWS }, loadInTurn));
  });
}

test("The first load of the home page takes less than 45 KB; without the font and the pictures, at most 12 KB and 6 requests", async (t) => {
  for (const home of ["/", "/de/"]) {
    await t.step(home, async () => {
      await using visitor = await suite.visit("/imprint/", { width: 390 });
      const { page } = visitor;
      const devTools = await page.context().newCDPSession(page);
      await devTools.send("Network.enable");
      await devTools.send("Network.setCacheDisabled", { cacheDisabled: true });
      let bytes = 0;
      devTools.on("Network.loadingFinished", ({ encodedDataLength }) => bytes += encodedDataLength);
      await page.setViewportSize({ width: 1280, height: 800 });
      visitor.requests.length = 0;
      await page.goto(home, { waitUntil: "networkidle" });
      const parts = visitor.requests.map((url) => new URL(url).pathname);
      const names = ["site.css", "sign_up.js", "favicon.svg", "figtree.woff2"];
      names.push("dawn.svg", "invitation.svg");
      const expected = [home, ...names.map((name) => `/assets/${name}`)];
      // Its folder has a hash of the scripts.
      const named = parts.map((part) => part.replace(/\/scripts-[0-9a-f]{16}\//, "/"));
      assert.deepEqual(named.toSorted(), expected.toSorted(), "each part once, and no other");
      assert(bytes > 20_000 && bytes < 45_000, `${home} takes ${bytes} bytes`);
      const text = await page.evaluate<number>(`[
      ...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource"),
    ].filter(({ name }) => !/[.](?:woff2|svg)[?]/.test(name))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`);
      assert(text > 5_000 && text <= 12 * 1024, `${home} takes ${text} bytes of text`);
      const others = parts.filter((path) => !/[.](?:woff2|svg)$/.test(path));
      assert(others.length <= 6, `${home} asks for ${others.join(", ")}`);
      const fonts = "[...document.fonts].map(({ family, status }) => family + ' ' + status)";
      assert.deepEqual(await page.evaluate(fonts), ["Figtree loaded"]);
      console.log(
        `${home} takes ${bytes} bytes, ${text} of text, in ${parts.length} requests, ${others.length} of them for text.`,
      );
    });
  }
});

test("A page is not sent again when the browser's ETag of the page is current", async () => {
  await using visitor = await suite.visit("/privacy/");
  await visitor.page.goto("/imprint/");
  const devTools = await visitor.page.context().newCDPSession(visitor.page);
  await devTools.send("Network.enable");
  const documents = new Set<string>();
  const statuses: number[] = [];
  devTools.on("Network.requestWillBeSent", ({ type, requestId }) => {
    if (type === "Document") documents.add(requestId);
  });
  devTools.on("Network.responseReceivedExtraInfo", ({ requestId, statusCode }) => {
    if (documents.has(requestId)) statuses.push(statusCode);
  });
  await visitor.page.goto("/privacy/", { waitUntil: "networkidle" });
  assert.deepEqual(statuses, [304]);
});

test("The first link of a page, followed by keyboard, skips the header of the page", async () => {
  await using visitor = await suite.visit("/de/");
  const { page } = visitor;
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Zum Inhalt springen" });
  assert(await skip.evaluate((element) => element.matches(":focus")));
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  const email = page.locator("#sign-up-hero-email");
  assert(await email.evaluate((element) => element.matches(":focus")));
});

test("The link to the other language leads from a page to its translation", async () => {
  await using visitor = await suite.visit("/privacy/");
  const { page } = visitor;
  await page.getByRole("link", { name: "Deutsch" }).click();
  await page.waitForURL("**/de/datenschutz/");
  await page.getByRole("link", { name: "English" }).click();
  await page.waitForURL("**/privacy/");
});

test("A page is printed with its text and without its buttons", async (t) => {
  for (const path of ["/", "/developers/", "/de/datenschutz/"]) {
    await t.step(path, async () => {
      await using visitor = await suite.visit(path, { colorScheme: "dark", width: 794 });
      const { page } = visitor;
      await page.emulateMedia({ media: "print" });
      assert(await page.getByRole("heading", { level: 1 }).isVisible());
      for (const role of ["navigation", "button", "textbox"] as const) {
        assert.equal(await page.getByRole(role).count(), 0, `${path}: ${role}`);
      }
      const colors = `(({ color, backgroundColor }) => [color, backgroundColor])(
      getComputedStyle(document.body))`;
      assert.deepEqual(await page.evaluate(colors), ["rgb(0, 0, 0)", "rgb(255, 255, 255)"]);
      assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 794);
    });
  }
});
