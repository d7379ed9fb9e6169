import assert from "node:assert/strict";
import { setImmediate as endOfTurn } from "node:timers/promises";
import { IMPORT_PATH, SIGN_IN_PATH } from "../../../server/console/page_context.ts";
import { createConsole } from "../../../server/console/mod.ts";
import { readConsoleTexts } from "../../../server/content/mod.ts";
import { createSessions } from "../../../server/console/sessions.ts";
import type { CallableOperations } from "../../../server/operator/calls.ts";
import { LIMITS } from "../../../server/limits/mod.ts";
import { createLog } from "../../../server/runtime/mod.ts";
import { OPERATOR_KEY } from "../../support/operator.ts";
import { BASE_URL, START } from "../../support/service.ts";

const TEXTS = await readConsoleTexts();

const OPERATOR = { name: "operator", role: "operator" as const, key: OPERATOR_KEY };

/** A console of its own, whose pages wait as a test says and whose operations find nothing. */
function createSmallConsole({ yieldToCalls, readAuditLog = () => {} }: {
  yieldToCalls: () => Promise<void>;
  readAuditLog?: () => void;
}) {
  const operations = {
    async readAuditLog() {
      readAuditLog();
      return await Promise.resolve({ lines: ReadableStream.from([[{ complete: true }]]) });
    },
  };
  return createConsole({
    baseUrl: BASE_URL,
    operators: [OPERATOR],
    surface: {
      // The cast is needed because the page of activity calls this operation alone.
      callableBy: () => operations as unknown as CallableOperations,
      testKey: () => ({ failure: "unauthorized" }),
    },
    key: new Uint8Array(32),
    countRequest: () => ({ allowed: true, limit: LIMITS.operator, remaining: 599, reset: 60 }),
    trustedProxyHops: 0,
    observer: { notePage: () => {} },
    runtime: {
      now: () => START,
      monotonic: () => 0,
      random: (length) => new Uint8Array(length),
      log: createLog({ level: "error", now: () => START, write: () => {} }),
    },
    texts: TEXTS,
    offeredAnswers: undefined,
    yieldToCalls,
    sendsEvents: false,
    site: {
      address: undefined,
      siteName: "Example Company",
      assetUrl: (name) => `/assets/${name}`,
      console: { scriptUrl: (name) => `/assets/${name}`, security: {} },
      logo: undefined,
      hasOwnLook: false,
      icon: { href: "/assets/favicon.svg", type: "image/svg+xml" },
      fonts: [],
    },
  });
}

/** Asserts that an answer is not there before some calls are answered, and gives it. */
async function answerAfter(
  calls: PromiseWithResolvers<void>,
  asked: Response | Promise<Response>,
): Promise<Response> {
  let isThere = false;
  const answer = Promise.resolve(asked).then((response) => {
    isThere = true;
    return response;
  });
  for (let turn = 0; turn < 5; turn++) await endOfTurn();
  assert.ok(!isThere);
  calls.resolve();
  return await answer;
}

Deno.test("createConsole() lets calls of the public API finish before it makes a page", async () => {
  const calls = Promise.withResolvers<void>();
  const routes = createSmallConsole({ yieldToCalls: () => calls.promise });
  assert.equal((await answerAfter(calls, routes.request(SIGN_IN_PATH))).status, 200);
});

Deno.test("createConsole() performs the operation of a page, and then lets calls of the public API finish before it sends the page", async () => {
  const calls = Promise.withResolvers<void>();
  let asked = false;
  const routes = createSmallConsole({
    yieldToCalls: () => asked ? calls.promise : Promise.resolve(),
    readAuditLog() {
      asked = true;
    },
  });
  const [cookie = ""] = createSessions([OPERATOR], { baseUrl: BASE_URL, now: () => START })
    .begin(OPERATOR.name).split(";");
  const page = routes.request("/operator/activity/", { headers: { Cookie: cookie } }, {
    remoteAddr: { hostname: "192.0.2.1" },
  });
  assert.equal((await answerAfter(calls, page)).status, 200);
  assert.ok(asked);
});

Deno.test("createConsole() lets calls of the public API finish before it writes a page, even a page for which it performs no operation", async () => {
  const calls = Promise.withResolvers<void>();
  let yields = 0;
  // The first wait comes before the page is made.
  const routes = createSmallConsole({
    yieldToCalls: () => ++yields > 1 ? calls.promise : Promise.resolve(),
  });
  const [cookie = ""] = createSessions([OPERATOR], { baseUrl: BASE_URL, now: () => START })
    .begin(OPERATOR.name).split(";");
  const page = routes.request(IMPORT_PATH, { headers: { Cookie: cookie } }, {
    remoteAddr: { hostname: "192.0.2.1" },
  });
  assert.equal((await answerAfter(calls, page)).status, 200);
  assert.equal(yields, 2);
});
