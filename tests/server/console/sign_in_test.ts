import assert from "node:assert/strict";
import { SIGN_IN_PATH } from "../../../server/console/page_context.ts";
import { SESSION_MS } from "../../../server/console/sessions.ts";
import {
  ADA,
  type ConsoleAnswer,
  openBrowser,
  personPath,
  signIn,
  test,
} from "../../support/console.ts";
import { fieldsOf } from "../../support/console_forms.ts";
import { OPERATOR_KEY, readAudit } from "../../support/operator.ts";
import { storedSignUps, storeSignUp } from "../../support/records.ts";
import { BASE_URL, json } from "../../support/service.ts";

test("signIn() signs an operator in and shows the overview when the key is right", async (service) => {
  const browser = openBrowser(service);
  const first = await browser.open("/operator/");
  assert.deepEqual([first.status, first.location], [303, SIGN_IN_PATH]);
  const form = await browser.open(SIGN_IN_PATH);
  assert.equal(form.status, 200);
  assert.match(form.html, /<input id="key" name="key" type="password" required/);
  const { status, response } = await browser.send(SIGN_IN_PATH, { key: ` ${OPERATOR_KEY}\n` });
  assert.equal(status, 303);
  const [cookie = "", ...attributes] = response.headers.get("set-cookie")?.split("; ") ?? [];
  assert.match(cookie, /^__Secure-waitlist_operator=[\w.-]+$/);
  const expected = ["Max-Age=28800", "Path=/operator", "HttpOnly", "SameSite=Strict", "Secure"];
  assert.deepEqual(attributes, expected);
  const headers = { "Accept-Language": "de-DE,de;q=0.9,en;q=0.8" };
  const page = await browser.open("/operator/", { headers });
  assert.equal(page.status, 200);
  assert.match(page.html, /<html lang="de">/);
  assert.match(page.html, /Angemeldet als <b>operator<\/b>/);
  const again = await browser.open(SIGN_IN_PATH);
  assert.equal(again.location, "/operator/");
});

test(
  "signIn() redirects to the page that was requested before the sign-in, also after a wrong key",
  async (service, t) => {
    const cases = [
      ["/operator/people/"],
      ["/operator/people/?state=waiting&order=oldest"],
      ["/operator/people/abc_DEF-123?list=state%3Dwaiting"],
      ["/operator/people/abc_DEF-123/correct?list=state%3Dwaiting"],
      ["/operator/people/abc_DEF-123/proof?list=state%3Dwaiting"],
      ["/operator/clients/client/?id=abc_DEF-123"],
      ["/operator/activity/?operator=ada&since=2026-11-01&before=2026-11-20T00%3A00%3A00.000Z"],
      ["/operator/"],
      // No URL has an address, in any encoding.
      ["/operator/people/?search=ada@example.com", "/operator/people/"],
      ["/operator/people/?search=ada%40example.com", "/operator/people/"],
      ["/operator/people/?search=ada%2540example.com", "/operator/people/"],
    ] as [string, string?][];
    for (const [path, expected = path] of cases) {
      await t.step(path, async () => {
        const browser = openBrowser(service);
        // A stranger who asks for a page is sent to the page to sign in.
        const asked = await browser.open(path);
        assert.equal(asked.status, 303);
        const address = asked.location;
        assert.doesNotMatch(decodeURIComponent(decodeURIComponent(address)), /@/);
        const back = ({ html }: ConsoleAnswer) => {
          const { to } = fieldsOf(html, "Sign in");
          return to === undefined ? {} : { to: to.replaceAll("&amp;", "&") };
        };
        const fields = back(await browser.open(address));
        const wrong = await browser.send(SIGN_IN_PATH, { ...fields, key: "wrong" });
        assert.deepEqual(back(wrong), fields);
        const { location } = await browser.send(SIGN_IN_PATH, { ...fields, key: OPERATOR_KEY });
        assert.equal(location, expected);
        const again = await browser.open(address);
        assert.equal(again.location, expected, "signed in already");
      });
    }
  },
);

test(
  "signIn() redirects to the overview when the requested target is not a page of the console",
  async (service, t) => {
    const cases = [
      "https://evil.example/operator/",
      "//evil.example/operator/people/",
      "/\\evil.example",
      "/operator/../",
      "/operator/people/../../evil",
      "/operator/people/#x",
      "/operator/sign-out",
      "/operator/v1/overview",
      "operator/people/",
      "javascript:alert(1)",
      "",
    ];
    for (const to of cases) {
      await t.step(JSON.stringify(to), async () => {
        const browser = openBrowser(service);
        const form = await browser.open(`${SIGN_IN_PATH}?${new URLSearchParams({ to })}`);
        assert.doesNotMatch(form.html, /name="to"/);
        const { status, location } = await browser.send(SIGN_IN_PATH, { to, key: OPERATOR_KEY });
        assert.equal(status, 303);
        assert.equal(location, "/operator/");
      });
    }
    const browser = openBrowser(service);
    const to = "/operator/people/?x=a\r\nSet-Cookie: y=1";
    const { location } = await browser.send(SIGN_IN_PATH, { to, key: OPERATOR_KEY });
    assert.equal(location, "/operator/people/");
  },
);

const WRONG_KEYS: [name: string, key: string][] = [
  ["empty", ""],
  ["another", "x".repeat(OPERATOR_KEY.length)],
  ["its beginning", OPERATOR_KEY.slice(0, -1)],
  ["more than it", `${OPERATOR_KEY}x`],
  ["two words", `${OPERATOR_KEY} x`],
  ["what no header can carry", "Schlüssel – 🔑\nX-Injected: yes"],
];

test(
  "signIn() refuses a wrong key, counts the try for the request limit, and writes the try to the audit log",
  async (service, t) => {
    const browser = openBrowser(service);
    for (const [name, key] of WRONG_KEYS) {
      await t.step(name, async () => {
        const { status, html, response } = await browser.send(SIGN_IN_PATH, { key });
        assert.equal(status, 403);
        assert.match(html, /<p class="fault" role="alert">This key is not known\./);
        assert.equal(response.headers.get("set-cookie"), null);
        if (key) assert.ok(!html.includes(key.split("\n")[0]!));
      });
    }
    await service.repeatOnce();
    const entries = (await readAudit(service)).map(({ action, details }) => ({ action, details }));
    assert.deepEqual(entries, [{ action: "failedSignIn", details: { count: WRONG_KEYS.length } }]);
  },
);

test("signIn() answers 429 to the 31st wrong key from a source address within a minute, and still accepts the right key", async (service) => {
  const browser = openBrowser(service);
  for (let tries = 0; tries < 30; tries++) {
    assert.equal((await browser.send(SIGN_IN_PATH, { key: `wrong-${tries}` })).status, 403);
  }
  const headers = { "Accept-Language": "de" };
  const { status, html } = await browser.send(SIGN_IN_PATH, { key: "wrong" }, { headers });
  assert.equal(status, 429);
  assert.match(html, /Versuchen Sie es in 40 s noch einmal/);
  const elsewhere = await browser.send(SIGN_IN_PATH, { key: "wrong" }, { from: "192.0.2.2" });
  assert.equal(elsewhere.status, 403);
  await signIn(service);
});

test("signIn() refuses a body that is not a form", async (service, t) => {
  const browser = openBrowser(service);
  const cases: Record<string, RequestInit> = {
    "JSON": json({ key: OPERATOR_KEY }),
    "too large": { body: "key=%ff" + "x".repeat(65_536) },
    "not UTF-8": { body: new Uint8Array([0x6b, 0x3d, 0xff]) },
  };
  for (const [name, init] of Object.entries(cases)) {
    await t.step(name, async () => {
      const { status, response } = await browser.send(SIGN_IN_PATH, {}, {
        ...init,
        headers: { "Content-Type": "application/x-www-form-urlencoded", ...init.headers },
      });
      assert.equal(status, 400);
      assert.equal(response.headers.get("content-type"), "text/plain; charset=utf-8");
    });
  }
});

test("createConsole() says that nothing was changed when a form is sent after the session has ended", async (service) => {
  const { browser, clock, kv } = service;
  await storeSignUp(kv, ADA, new Date(clock.now).toISOString());
  const page = `${await personPath(browser, ADA.email)}/correct`;
  clock.now += SESSION_MS;
  const from = (url: string) => ({ headers: { Referer: url } });
  const fields = { new_email: "bo@example.com", confirmed: "yes" };
  const ended = await browser.submit(page, fields, from(BASE_URL + page));
  assert.match(ended.html, /role="alert">Your session has ended, and nothing was changed\./);
  assert.ok((await storedSignUps(kv))[ADA.email]);
  assert.deepEqual(await readAudit(service), []);
  assert.equal(fieldsOf(ended.html, "Sign in").to, page, "it leads back to the page with the form");
  const none = from(`${BASE_URL}/operator//evil.example/`);
  const elsewhere = await browser.send("/operator/people/", {}, none);
  assert.equal(elsewhere.location, `${SIGN_IN_PATH}?ended=yes`);
  const evil = from("https://evil.example/operator/data/");
  assert.equal((await browser.send("/operator/people/", {}, evil)).status, 403);
  const { location: asked } = await browser.open("/operator/");
  assert.equal(asked, SIGN_IN_PATH, "a page says nothing of an end");
});
