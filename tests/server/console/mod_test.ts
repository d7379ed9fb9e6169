import assert from "node:assert/strict";
import { CONSOLE_PAGES } from "../../../server/console/mod.ts";
import { SIGN_IN_PATH, SIGN_OUT_PATH } from "../../../server/console/page_context.ts";
import { openBrowser, test } from "../../support/console.ts";
import { OPERATOR_KEY, readAudit } from "../../support/operator.ts";
import { BASE_URL, form, json } from "../../support/service.ts";

const PAGES = CONSOLE_PAGES.map(({ path }) => path.replace(":person", "nobody"));

test(
  "createConsole() answers 403 at every path of the console when a form comes from another origin",
  async (service, t) => {
    const { browser } = service;
    const origins = [
      undefined,
      "null",
      "",
      "https://evil.example",
      "https://waitlist.test.evil.example",
      "https://waitlist.test:8443",
      "http://waitlist.test",
      "https://WAITLIST.test",
      `${BASE_URL}/`,
      `${BASE_URL}, https://evil.example`,
    ];
    for (const path of [...PAGES, SIGN_IN_PATH, SIGN_OUT_PATH, "/operator", "/operator/none"]) {
      for (const origin of origins) {
        await t.step(`${origin} ${path}`, async () => {
          const init = form({ key: OPERATOR_KEY, confirmed: "yes" });
          const headers = { Cookie: browser.cookie, ...origin !== undefined && { Origin: origin } };
          const response = await service.request(path, { ...init, headers });
          assert.equal(response.status, 403);
          assert.equal(response.headers.get("set-cookie"), null);
          assert.match(
            await response.text(),
            /open https:\/\/waitlist\.test\/operator\/ first\.\n$/,
          );
        });
      }
    }
    assert.deepEqual(await readAudit(service), []);
  },
);

test(
  "createConsole() refuses a form that is sent from a page outside of the console",
  async (service, t) => {
    const pages: [referer: string | undefined, status: number][] = [
      [`${BASE_URL}/`, 403],
      [`${BASE_URL}/press/?to=${BASE_URL}/operator/`, 403],
      [`${BASE_URL}/operator`, 403],
      [`${BASE_URL}/operators/`, 403],
      ["https://evil.example/operator/", 403],
      [`${BASE_URL}/operator/people/?q=a`, 303],
      // Some browsers and proxies leave it out.
      [undefined, 303],
    ];
    for (const [referer, status] of pages) {
      await t.step(referer ?? "without a Referer", async () => {
        const headers = {
          Cookie: service.browser.cookie,
          Origin: BASE_URL,
          ...referer && { Referer: referer },
        };
        const response = await service.request(SIGN_OUT_PATH, { ...form({}), headers });
        assert.equal(response.status, status);
        await response.body?.cancel();
      });
    }
  },
);

test(
  "createConsole() redirects to the sign-in page and changes nothing when nobody is signed in",
  async (service, t) => {
    const stranger = openBrowser(service);
    for (const path of PAGES) {
      await t.step(path, async () => {
        for (
          const answer of [
            await stranger.open(path),
            await stranger.send(path, { confirmed: "yes" }),
          ]
        ) {
          const isRefused = answer.status === 405;
          assert.ok(answer.status === 303 || isRefused);
          const location = answer.location.split("?")[0];
          if (!isRefused) assert.equal(location, SIGN_IN_PATH);
          if (!isRefused) assert.equal(answer.html, "");
        }
      });
    }
    assert.deepEqual(await readAudit(service), []);
  },
);

test("createConsole() shows the navigation on its 404 page only when an operator is signed in", async (service) => {
  const { status, html } = await service.browser.open("/operator/nope/");
  assert.equal(status, 404);
  assert.match(html, /<h1>There is no page here<\/h1>\n<p><a href="\/operator\/">Overview</);
  assert.match(html, /<nav aria-label="Console">/);
  const stranger = await service.request("/operator/nope/");
  assert.equal(stranger.status, 404);
  assert.doesNotMatch(await stranger.text(), /\/operator\//);
});

test(
  "createConsole() answers HEAD with the headers of GET, and other methods with 405 and Allow",
  async ({ browser }, t) => {
    for (const path of [...PAGES, SIGN_IN_PATH]) {
      await t.step(path, async () => {
        const [get, head] = [
          await browser.open(path),
          await browser.open(path, { method: "HEAD" }),
        ];
        assert.equal(head.status, get.status);
        assert.equal(head.html, "");
        for (const name of ["content-type", "content-length"]) {
          assert.equal(head.response.headers.get(name), get.response.headers.get(name));
        }
        for (const method of ["PUT", "DELETE", "OPTIONS", "PATCH"]) {
          const { status, response } = await browser.open(path, { method });
          assert.equal(status, 405, `${method} ${path}`);
          assert.match(response.headers.get("allow") ?? "", /^(GET, HEAD(, POST)?|POST)$/);
        }
      });
    }
    const signOut = await browser.open(SIGN_OUT_PATH);
    assert.equal(signOut.status, 405);
    assert.equal(signOut.response.headers.get("allow"), "POST");
  },
);

test(
  "createConsole() redirects to the same path with a slash at the end when the slash is missing",
  async ({ browser }, t) => {
    for (const path of [...PAGES, SIGN_IN_PATH].filter((path) => path.endsWith("/"))) {
      await t.step(path, async () => {
        const { status, location } = await browser.open(path.slice(0, -1));
        assert.equal(status, 308);
        assert.equal(location, path);
        const { status: refused } = await browser.send(path.slice(0, -1));
        assert.equal(refused, 405);
      });
    }
  },
);

test(
  "createConsole() answers with a 404 page when a path only resembles a path of the console",
  async ({ browser, request }, t) => {
    const cases = [
      "/operator/none",
      "/operator//",
      "/operator/people%2f",
      "/operator/..%5c",
      "/OPERATOR/",
      "//operator/",
      "/operator%2f",
      "/operator/sign-in/x",
    ];
    for (const path of cases) {
      for (const method of ["GET", "POST"]) {
        await t.step(`${method} ${path}`, async () => {
          const response = await request(path, {
            method,
            headers: { Cookie: browser.cookie, Origin: BASE_URL },
          });
          assert.equal(response.status, 404);
          const text = await response.text();
          assert.match(text, /There is no page here/);
          // A proxy may take the others for paths that are no part of the console.
          const keepsNavigation = method === "GET" && /^\/operator\/[\w/-]+$/.test(path);
          assert.equal(text.includes(SIGN_OUT_PATH), keepsNavigation);
        });
      }
    }
  },
);

test("createConsole() logs no key, no cookie and no source address", async (service) => {
  const { browser } = service;
  const wrong = "a-wrong-key-which-nobody-may-read";
  await openBrowser(service).send(SIGN_IN_PATH, { key: wrong });
  const email = "ada.lovelace@example.com";
  await service.request("/api/v1/waitlist", json({ email, consent: true }));
  for (const path of PAGES) {
    await browser.open(path);
    await browser.send(path, { email, search: email, confirmed: "yes" });
  }
  await service.repeatOnce();
  const log = JSON.stringify(service.log);
  assert.ok(log.includes("console.overview"), "the pages are in the log");
  const secrets = [
    OPERATOR_KEY,
    wrong,
    browser.cookie.split(".")[2] ?? "",
    "192.0.2.1",
    "lovelace",
  ];
  for (const secret of secrets) assert.ok(!log.includes(secret), secret);
});

test(
  "createConsole() answers in the browser's language, and in English when the browser asks for neither English nor German",
  async ({ browser }, t) => {
    const cases = [
      ["", "en"],
      ["de", "de"],
      ["de-AT, en;q=0.5", "de"],
      ["en-GB, de;q=0.9", "en"],
      ["fr, de;q=0.1", "de"],
      ["fr", "en"],
      ["de;q=0", "en"],
      ["*", "en"],
    ] as const;
    for (const [accepted, lang] of cases) {
      await t.step(JSON.stringify(accepted), async () => {
        const headers = { "Accept-Language": accepted };
        const { html } = await browser.open("/operator/", { headers });
        assert.ok(html.includes(`<html lang="${lang}">`));
      });
    }
  },
);
