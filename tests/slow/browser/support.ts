/**
 * The real process, started as an operator starts it, and Debian's Chromium in front of it. A suite starts both once;
 * each test opens pages of its own, as a visitor with a source address of its own. @module
 */
import assert from "node:assert/strict";
import axe from "axe-core";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import type { WaitlistStats } from "../../../shared/schemas.ts";
import { OPERATOR_KEY } from "../../support/operator.ts";
import { makeTestFolder, startService, type TestVariables } from "../../support/process.ts";
import { issueClient, readStats, statusOf } from "../../support/process_requests.ts";
import { getAccessToken } from "../../support/service.ts";

const CHROMIUM = "/usr/bin/chromium";

const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Cookies of other sites are blocked, as most browsers do.
  "--test-third-party-cookie-phaseout",
];

/** The browser's handles live on between tests, which the sanitizers would take for leaks. */
export const UNSANITIZED = { sanitizeOps: false, sanitizeResources: false };

/** A test in the browser. */
export const test = (name: string, fn: (t: Deno.TestContext) => Promise<void>): void =>
  Deno.test({ name, ...UNSANITIZED, fn });

/** A suite for the tests of a file, started before the first and stopped after the last. */
export function useSuite(): Suite {
  const suite = {} as Suite;
  Deno.test.beforeAll(async () => void Object.assign(suite, await startSuite()));
  Deno.test.afterAll(() => suite.stop());
  return suite;
}

/** How a visitor's browser is set up. */
export interface VisitorOptions {
  scripts?: boolean;
  /** `null` for that of the browser itself, which follows `color-scheme` of the element around a frame. */
  colorScheme?: "light" | "dark" | null;
  width?: number;
  /** Whether the visitor's system allows motion; it does not by default. */
  motion?: boolean;
  /** The browser's language, such as `de-DE`. */
  locale?: string;
}

/** The statistics but for the moment of their reading. */
export type Statistics = Omit<WaitlistStats, "generatedAt">;

/** The process and the browser. */
export type Suite = Awaited<ReturnType<typeof startSuite>>;

/** A visitor with a browser window, a source address and an eye on what goes wrong. */
export type Visitor = Awaited<ReturnType<Suite["visit"]>>;

/** axe's rules of each colour scheme. Only the rules on colours can find something else in the dark. */
const AXE_RULES = { light: {}, dark: { runOnly: ["color-contrast", "link-in-text-block"] } };

/** What axe finds wrong with the page as it is now, in light and in dark colours. The page is light in the end. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found: string[] = [];
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    const rules = JSON.stringify(AXE_RULES[colorScheme]);
    const faults = await page.evaluate<string[]>(`axe.run(${rules}).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(", ")))`);
    found.push(...faults.map((fault) => `${colorScheme}: ${fault}`));
  }
  return found;
}

/** Starts the service with `deno task start`, and the browser. @param variables further ones of the service */
export async function startSuite(variables: TestVariables = {}) {
  const folder = await makeTestFolder();
  const service = await startService({
    KV_PATH: `${folder.path}/kv.sqlite3`,
    TRUSTED_PROXY_HOPS: "1",
    OPERATOR_KEY,
    ...variables,
  });
  const token = await getAccessToken(service, await issueClient(service));
  const browser: Browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS });
  const { baseUrl } = service.started;
  let visitors = 0;

  /** Addresses reserved for documentation and benchmarks, each with limits of its own. */
  const nextAddress = () => `198.18.${Math.floor(++visitors / 250)}.${visitors % 250 + 1}`;

  return {
    baseUrl,
    async visit(path: string, options: VisitorOptions = {}) {
      const { scripts = true, colorScheme = "light", width = 1280, locale = "en-GB", motion } =
        options;
      const address = nextAddress();
      const context: BrowserContext = await browser.newContext({
        baseURL: baseUrl,
        javaScriptEnabled: scripts,
        colorScheme,
        locale,
        // Without motion, axe measures the colours of a page as it stays.
        reducedMotion: motion ? "no-preference" : "reduce",
        viewport: { width, height: 800 },
        extraHTTPHeaders: { "X-Forwarded-For": address },
      });
      const page = await context.newPage();
      const visitor = {
        page,
        /** The source address that the service sees. */
        address,
        /** Errors and warnings on the console, but for the 404 of a page that the visitor opened itself. */
        complaints: new Array<string>(),
        /** The addresses of all requests. */
        requests: new Array<string>(),
        [Symbol.asyncDispose]: () => context.close(),
      };
      page.on("console", (message) => {
        if (!["error", "warning"].includes(message.type())) return;
        if (message.text().includes("404") && message.location().url === page.url()) return;
        visitor.complaints.push(`${page.url()}: ${message.text()}`);
      });
      page.on("pageerror", (error) => visitor.complaints.push(`${page.url()}: ${error}`));
      page.on("request", (request) => visitor.requests.push(request.url()));
      await page.goto(path);
      return visitor;
    },
    /** The statistics of production, by the API. */
    statistics: (): Promise<Statistics> => readStats(service, token),
    async stop() {
      await browser.close();
      const { stderr } = await service.end("SIGTERM");
      await folder[Symbol.asyncDispose]();
      assert.doesNotMatch(stderr, /"level":"error"/);
    },
  };
}

/** Asserts that nothing on a page is wider than the window. */
export async function assertFits(page: Page, widths = [320, 390, 768, 1280, 1920]): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    const scrollWidth = await page.evaluate("document.documentElement.scrollWidth");
    assert.equal(scrollWidth, width, `${page.url()} sticks out`);
  }
}

/** Lists the buttons and fields whose border has the colour of the page. Checkboxes with the browser's look have an edge. */
const WITHOUT_EDGE = `(() => {
  const { backgroundColor } = getComputedStyle(document.body);
  return [...document.querySelectorAll("button, .button, input:not([type=hidden]), select")]
    .filter((control) => {
      if (!control.checkVisibility() || control.closest("[aria-hidden]")) return false;
      const { appearance, borderTopColor, borderTopStyle, textDecorationLine } = getComputedStyle(control);
      if (control.type === "checkbox" && appearance === "auto") return false;
      if (textDecorationLine === "underline") return false;
      return borderTopStyle === "none" || borderTopColor === backgroundColor;
    }).map(({ outerHTML }) => outerHTML);
})()`;

/**
 * Asserts that a page adapts to what a visitor has set: nothing is wider than the window when text is twice as large,
 * and each button and field has an edge in forced colours.
 */
export async function assertAdapts(page: Page): Promise<void> {
  await page.evaluate("document.documentElement.style.fontSize = '200%'");
  await assertFits(page, [390, 768, 1280]);
  await page.evaluate("document.documentElement.style.fontSize = ''");
  await page.emulateMedia({ forcedColors: "active" });
  assert.deepEqual(await page.evaluate(WITHOUT_EDGE), [], `${page.url()} in forced colours`);
  await page.emulateMedia({ forcedColors: null });
}

/** Asserts that axe finds no fault with a page in light and in dark colours, and that nothing on it is wider than the window. */
export async function assertSound(page: Page, name = page.url()): Promise<void> {
  assert.deepEqual(await violations(page), [], name);
  await assertFits(page);
}

/** Asserts that the browser has complained of nothing, and asked nobody but the service. */
export function assertAtHome({ complaints, requests }: Visitor, { baseUrl }: Suite): void {
  assert.deepEqual(complaints, []);
  assert.deepEqual(requests.filter((url) => !url.startsWith(`${baseUrl}/`)), []);
}

/** Asserts that a link's text differs from its background while the mouse is over it, which axe does not look at. */
export async function assertVisibleUnderMouse(page: Page, name: string): Promise<void> {
  await page.getByRole("link", { name }).hover();
  const style = "getComputedStyle(document.querySelector('a.button'))";
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    const [color, background] = await page.evaluate<string[]>(
      `[${style}.color, ${style}.backgroundColor]`,
    );
    assert.notEqual(color, background, colorScheme);
  }
}

/** Uses a visitor's limit at a path of the service up. */
export async function exhaustLimit({ baseUrl }: Suite, path: string, init?: RequestInit) {
  while (await statusOf(fetch(baseUrl + path, init)) !== 429);
}
