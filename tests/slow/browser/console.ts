/** The console in a browser: a service with people, and operators who are signed in. @module */
import assert from "node:assert/strict";
import { SIGN_IN_PATH } from "../../../server/console/page_context.ts";
import { OPERATOR_KEY } from "../../support/operator.ts";
import type { TestVariables } from "../../support/process.ts";
import type { VisitorOptions } from "./support.ts";
import { startSuite, UNSANITIZED } from "./support.ts";
export { assertAtHome, assertSound } from "./support.ts";

/** A service with a console. */
export type ConsoleSuite = Awaited<ReturnType<typeof startConsoleSuite>>;

/** A test in both languages. */
export function testLanguages(name: string, act: (look: VisitorOptions) => Promise<void>): void {
  for (const locale of ["en-GB", "de-DE"]) {
    Deno.test({ name: `${name} (${locale})`, ...UNSANITIZED, fn: () => act({ locale }) });
  }
}

/** Starts a service with some people, and the browser. @param variables further ones of the service */
export async function startConsoleSuite(people: number, variables: TestVariables = {}) {
  const suite = await startSuite(variables);
  /** Calls the operator's API; throws unless it answers 200 or 201. */
  const operate = async (path: string, body?: string) => {
    const response = await fetch(`${suite.baseUrl}/operator/v1${path}`, {
      headers: {
        Authorization: `Bearer ${OPERATOR_KEY}`,
        "Content-Type": path.endsWith("/import") ? "application/x-ndjson" : "application/json",
      },
      ...body !== undefined && { method: "POST", body },
    });
    const text = await response.text();
    assert.ok(response.ok, text);
    return text;
  };
  if (people > 0) {
    assert.match(await operate("/signups/import", listOf(people)), /"refused":0\b/);
  }
  return {
    ...suite,
    operate,
    /** Signs an operator in, and opens a page of the console. */
    async open(path: string, options?: VisitorOptions) {
      const visitor = await suite.visit(SIGN_IN_PATH, options);
      const { page } = visitor;
      await page.locator("#key").fill(OPERATOR_KEY);
      await page.locator("main button").click();
      await page.waitForURL("**/operator/");
      await page.goto(path);
      return visitor;
    },
  };
}

const ROLES = ["architect", "engineer", "facility_manager", "owner", "planner", "tenant", ""];
const BUILDINGS = ["campus", "hospital", "office", "warehouse", ""];
const DAY_MS = 24 * 60 * 60_000;

/** The referral code of the person with a number. */
const codeOf = (n: number) => `Person${String(n).padStart(4, "0")}`;

/** The lines of an import: people who signed up over the last 200 days, more of them lately. */
export function listOf(people: number, now = Date.now()): string {
  return Array.from({ length: people }, (_, n) => {
    // The fractional parts of n times the golden ratio are spread evenly, and the same each time.
    const part = (n * 0.618034) % 1;
    const at = new Date(now - part * part * 200 * DAY_MS - 1_000).toISOString();
    return JSON.stringify({
      email: `person.${n}@example.com`,
      consentedAt: at,
      createdAt: at,
      lang: n % 3 === 0 ? "de" : "en",
      source: n % 5 < 3 ? "hero" : "cta",
      role: ROLES[Math.floor(Math.sqrt(n)) % ROLES.length],
      building: BUILDINGS[n % 7] ?? "",
      referralCode: codeOf(n),
      ...n % 10 === 3 && { referredBy: codeOf(100) },
      ...n % 10 === 7 && { referredBy: codeOf(n % 4) },
      ...n % 9 === 0 && { state: "unconfirmed" },
      ...n % 4 === 1 && {
        state: "invited",
        invitedAt: at,
        invitationCode: `code-of-the-person-${n}`,
        wave: "first",
      },
    });
  }).join("\n") + "\n";
}
