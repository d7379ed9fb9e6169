import assert from "node:assert/strict";
import { createSessions, SESSION_MS } from "../../../server/console/cookies.ts";
import { SIGN_IN_PATH, SIGN_OUT_PATH } from "../../../server/console/page_context.ts";
import { signIn, startConsole, test } from "../../support/console.ts";
import { OPERATOR_KEY } from "../../support/operator.ts";
import { START } from "../../support/service.ts";

/** The cookie's name under https. */
const COOKIE = "__Secure-waitlist_operator";

Deno.test("createSessions() finds an operator for 8 hours, by the same key at the same base URL", () => {
  let now = START;
  const at = (baseUrl: string, key = OPERATOR_KEY) =>
    createSessions([{ name: "operator", key }], { baseUrl, now: () => now });
  const cookie = at("https://x.test").begin("operator");
  const overHttp = cookie.replace("__Secure-", "");
  now += SESSION_MS - 1;
  assert.equal(at("https://x.test").find(cookie)?.name, "operator");
  assert.equal(at("https://x.test", `${OPERATOR_KEY}2`).find(cookie), undefined);
  assert.equal(at("http://x.test").find(overHttp), undefined);
  for (const baseUrl of ["https://y.test", "https://x.test:8443"]) {
    assert.equal(at(baseUrl).find(cookie), undefined, baseUrl);
  }
  now += 1;
  assert.equal(at("https://x.test").find(cookie), undefined);
});

Deno.test("createSessions() takes no cookie that is forged, cut or of another operator's name", async () => {
  const other = "another-operator-0123456789-abcdef";
  await using service = await startConsole({ OPERATOR_KEYS: `other=${other}` });
  const { browser } = service;
  const good = browser.cookie;
  const [, name = "", end = "", signature = ""] = /=(.+)\.(\d+)\.(.+)$/.exec(good) ?? [];
  const foreign = (await signIn(service, other)).cookie.split(".")[2] ?? "";
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
    browser.cookie = `${COOKIE}=${value}`;
    assert.equal((await browser.open("/operator/")).status, 303, value);
  }
  browser.cookie = good.replace("__Secure-", "");
  assert.equal((await browser.open("/operator/")).status, 303, "a cookie of plain http");
  for (const cookie of [`x=1; ${good}`, `${good}; x=${COOKIE}`, `${good};${good}`]) {
    browser.cookie = cookie;
    assert.equal((await browser.open("/operator/")).status, 200, cookie);
  }
});

Deno.test("createSessions() tries all cookies of its name when another host has set one first", async () => {
  const other = "another-operator-0123456789-abcdef";
  await using service = await startConsole({ OPERATOR_KEYS: `other=${other}` });
  const { browser } = service;
  const mine = browser.cookie;
  const they = await signIn(service, other);
  assert.match((await they.open("/operator/")).html, /Signed in as <b>other<\/b>/);
  const theirs = they.cookie;
  const forged = mine.replace(/=operator\./, "=other.");
  const cases = [
    ["forged first", `${forged}; ${mine}`, 200],
    ["forged last", `${mine}; ${COOKIE}=; ${forged}`, 200],
    ["two operators", `${theirs}; ${mine}`, 303],
    ["two operators", `${mine}; ${theirs}`, 303],
    ["too long a header", `x=${"x".repeat(16_384)}; ${mine}`, 303],
  ] as const;
  for (const [name, cookie, status] of cases) {
    browser.cookie = cookie;
    const { status: given, html } = await browser.open("/operator/");
    assert.equal(given, status, name);
    if (status === 200) assert.match(html, /Signed in as <b>operator<\/b>/);
  }
});

test("sign-out clears the cookie and what the browser has kept", async ({ browser }) => {
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

Deno.test("createSessions() demands https from the browser only where the service has it", () => {
  const operator = { name: "operator", key: OPERATOR_KEY };
  for (
    const [baseUrl, secure] of [["https://x.test", true], ["http://localhost:8000", false]] as const
  ) {
    const { begin, end } = createSessions([operator], { baseUrl, now: () => 0 });
    for (const cookie of [begin(operator.name), end()]) {
      assert.equal(cookie.startsWith(`${COOKIE}=`), secure);
      assert.equal(cookie.endsWith("; Path=/operator; HttpOnly; SameSite=Strict; Secure"), secure);
      assert.equal(cookie.endsWith("; Path=/operator; HttpOnly; SameSite=Strict"), !secure);
    }
  }
});
