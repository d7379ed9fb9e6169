import assert from "node:assert/strict";
import { createSessions, SESSION_MS } from "../../../server/console/sessions.ts";
import { SIGN_IN_PATH, SIGN_OUT_PATH } from "../../../server/console/page_context.ts";
import { test } from "../../support/console.ts";
import { OPERATOR_KEY } from "../../support/operator.ts";
import { START } from "../../support/service.ts";

/** The cookie's name under https. */
const COOKIE = "__Secure-waitlist_operator";

const OTHER_KEY = "another-operator-0123456789-abcdef";

Deno.test("createSessions() accepts a cookie for 8 hours when operator key and base URL are unchanged", async (t) => {
  let now = START;
  const at = (baseUrl: string, key = OPERATOR_KEY) =>
    createSessions([{ name: "operator", role: "operator", key }], { baseUrl, now: () => now });
  const cookie = at("https://x.test").begin("operator");
  const overHttp = cookie.replace("__Secure-", "");
  now += SESSION_MS - 1;
  assert.equal(at("https://x.test").find(cookie)?.name, "operator");
  assert.equal(at("https://x.test", `${OPERATOR_KEY}2`).find(cookie), undefined);
  assert.equal(at("http://x.test").find(overHttp), undefined);
  for (const baseUrl of ["https://y.test", "https://x.test:8443"]) {
    await t.step(baseUrl, () => {
      assert.equal(at(baseUrl).find(cookie), undefined);
    });
  }
  now += 1;
  assert.equal(at("https://x.test").find(cookie), undefined);
});

/** The sessions of two operators, who are found by their names. */
function startSessions() {
  const operators = [{ name: "operator", role: "operator" as const, key: OPERATOR_KEY }, {
    name: "other",
    role: "operator" as const,
    key: OTHER_KEY,
  }];
  const sessions = createSessions(operators, { baseUrl: "https://x.test", now: () => START });
  return {
    find: (cookie: string) => sessions.find(cookie)?.name,
    cookieOf: (name: string) => sessions.begin(name).split(";")[0]!,
  };
}

Deno.test("createSessions() refuses a cookie that is forged, cut or changed to another operator's name", async (t) => {
  const { find, cookieOf } = startSessions();
  const good = cookieOf("operator");
  const [, name = "", end = "", signature = ""] = /=(.+)\.(\d+)\.(.+)$/.exec(good) ?? [];
  const foreign = cookieOf("other").split(".")[2] ?? "";
  const flipped = (signature.startsWith("A") ? "B" : "A") + signature.slice(1);
  const values = [
    "",
    name,
    `${name}.${end}`,
    `${name}.${end}.`,
    `${name}.${end}.${signature.slice(0, -1)}`,
    `${name}.${end}.${signature}AAAA`,
    `${name}.${end}.${flipped}`,
    `${name}.${end}.${foreign}`,
    `${name}.${Number(end) + 1}.${signature}`,
    `${name}.${end}0.${signature}`,
    `other.${end}.${signature}`,
    `nobody.${end}.${signature}`,
    `${name.toUpperCase()}.${end}.${signature}`,
    `__proto__.${end}.${signature}`,
    `${name}.${end}.${signature}.x`,
  ];
  for (const value of values) {
    await t.step(value, () => {
      assert.equal(find(`${COOKIE}=${value}`), undefined);
    });
  }
  assert.equal(find(good.replace("__Secure-", "")), undefined, "a cookie of plain http");
  for (const cookie of [`x=1; ${good}`, `${good}; x=${COOKIE}`, `${good};${good}`]) {
    await t.step(cookie, () => {
      assert.equal(find(cookie), "operator");
    });
  }
});

Deno.test("createSessions() accepts a valid cookie that stands after a wrong cookie of the same name", async (t) => {
  const { find, cookieOf } = startSessions();
  const [mine, theirs] = [cookieOf("operator"), cookieOf("other")];
  assert.equal(find(theirs), "other");
  const forged = mine.replace(/=operator\./, "=other.");
  const cases = [
    ["forged first", `${forged}; ${mine}`, "operator"],
    ["forged last", `${mine}; ${COOKIE}=; ${forged}`, "operator"],
    ["two operators", `${theirs}; ${mine}`, undefined],
    ["two operators", `${mine}; ${theirs}`, undefined],
    ["too long a header", `x=${"x".repeat(16_384)}; ${mine}`, undefined],
  ] as const;
  for (const [name, cookie, expected] of cases) {
    await t.step(name, () => {
      assert.equal(find(cookie), expected);
    });
  }
});

test("Sign-out clears the session cookie and the browser's cache", async ({ browser }) => {
  const { status, response } = await browser.send(SIGN_OUT_PATH);
  assert.equal(status, 303);
  const location = response.headers.get("location");
  assert.equal(location, `${SIGN_IN_PATH}?signed-out`);
  assert.equal(response.headers.get("clear-site-data"), '"cache"');
  const last = response.headers.getSetCookie().at(-1) ?? "";
  assert.match(last, /^__Secure-waitlist_operator=; Max-Age=0; Path=\/operator;/);
  assert.match((await browser.open(location)).html, /role="status">You are signed out\.</);
  assert.doesNotMatch((await browser.open(SIGN_IN_PATH)).html, /signed out/);
  assert.equal((await browser.open("/operator/")).status, 303);
});

Deno.test("createSessions() sets a Secure cookie only when the base URL is https", async (t) => {
  const operator = { name: "operator", role: "operator" as const, key: OPERATOR_KEY };
  const cases = [["https://x.test", true], ["http://localhost:8000", false]] as const;
  for (const [baseUrl, secure] of cases) {
    await t.step(baseUrl, () => {
      const { begin, end } = createSessions([operator], { baseUrl, now: () => 0 });
      for (const cookie of [begin(operator.name), end()]) {
        assert.equal(cookie.startsWith(`${COOKIE}=`), secure);
        assert.equal(
          cookie.endsWith("; Path=/operator; HttpOnly; SameSite=Strict; Secure"),
          secure,
        );
        assert.equal(cookie.endsWith("; Path=/operator; HttpOnly; SameSite=Strict"), !secure);
      }
    });
  }
});
