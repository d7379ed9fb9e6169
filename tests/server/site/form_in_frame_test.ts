import assert from "node:assert/strict";
import { json, startTestService, test, type TestService } from "../../support/service.ts";

const ORIGINS = "https://www.example.com http://localhost:3000";
const ANCESTORS = `frame-ancestors ${ORIGINS}`;
const IN_FRAME = { "Sec-Fetch-Dest": "iframe" };
const LANGUAGES = [
  { lang: "en", embed: "/embed/", thanks: "/thanks/", home: "/" },
  { lang: "de", embed: "/de/embed/", thanks: "/de/danke/", home: "/de/" },
];

const policyOf = ({ headers }: Response) => headers.get("content-security-policy") ?? "";

/** Posts the form of a page without scripts, with nothing typed. */
function postForm(service: TestService, lang: string, headers: Record<string, string> = {}) {
  return service.request("/api/v1/waitlist", {
    method: "POST",
    headers: { "Accept": "text/html", ...headers },
    body: new URLSearchParams({ lang }),
  });
}

Deno.test("createSite() keeps the theme of a frame when the form in the frame is refused twice and then accepted", async () => {
  await using service = await startTestService({ EMBED_ORIGINS: ORIGINS });
  const post = (action: string, headers: Record<string, string>, email = "") =>
    service.request(action, {
      method: "POST",
      headers: { ...IN_FRAME, "Accept": "text/html", ...headers },
      body: new URLSearchParams({ email, consent: "on" }),
    });
  const actionOf = (page: string) => /<form method="post" action="([^"]+)"/.exec(page)?.[1] ?? "";
  let page = await (await service.request("/embed/?theme=dark", { headers: IN_FRAME })).text();
  // A browser without scripts sends the address of the page that the form is on.
  for (let tries = 0; tries < 2; tries++) {
    const response = await post(actionOf(page), {});
    assert.equal(response.status, 422);
    page = await response.text();
    assert.match(page, /<meta name="color-scheme" content="dark">/);
  }
  const action = actionOf(page);
  assert.equal(action, "/api/v1/waitlist?theme=dark");
  const accepted = await post(action, {}, "ada@example.com");
  assert.equal(accepted.status, 303);
  const headers = { ...IN_FRAME, Referer: `https://waitlist.test${action}` };
  const thanks = await service.request(accepted.headers.get("location")!, { headers });
  assert.match(await thanks.text(), /<meta name="color-scheme" content="dark">/);
});

for (const { lang, embed, thanks, home } of LANGUAGES) {
  Deno.test(`createSite() lets pages of EMBED_ORIGINS show the form in a frame (${embed})`, async () => {
    await using service = await startTestService({ EMBED_ORIGINS: ORIGINS });
    const response = await service.request(embed);
    assert.equal(response.status, 200);
    assert(policyOf(response).endsWith(ANCESTORS));
    const page = await response.text();
    assert.match(page, new RegExp(`<html lang="${lang}">`));
    assert.match(page, /<base target="_blank">[^]*<form method="post"[^>]*target="_self"/);
    assert.match(page, /<meta name="robots" content="noindex">/);
    assert.doesNotMatch(page, /<header|<footer|<nav|name="source"/);
    const sitemap = await (await service.request("/sitemap.xml")).text();
    assert(!sitemap.includes("embed"));
  });

  Deno.test(`createSite() lets pages of EMBED_ORIGINS show in a frame only the form and the pages to which the form leads (${embed})`, async (t) => {
    await using service = await startTestService({ EMBED_ORIGINS: ORIGINS });
    for (
      const [name, inFrame, whole] of [
        [
          "thanks",
          await service.request(thanks, { headers: IN_FRAME }),
          await service.request(thanks),
        ],
        [
          "a refused form",
          await postForm(service, lang, IN_FRAME),
          await postForm(service, lang),
        ],
      ] as const
    ) {
      await t.step(name, async () => {
        assert(policyOf(inFrame).endsWith(ANCESTORS));
        assert(policyOf(whole).endsWith(ANCESTORS), "a browser may not say what it asks for");
        const page = await inFrame.text();
        assert.match(page, /<base target="_blank">/);
        assert.doesNotMatch(page, /<header|<footer|<nav/);
        assert.equal(/<h1>/.test(page), inFrame.ok, "a refused form is there alone");
        assert.match(await whole.text(), /<header[^]*<footer/);
      });
    }
    const { headers } = await service.request(thanks, { headers: IN_FRAME });
    assert.equal(headers.get("vary"), "Accept, Accept-Encoding, Sec-Fetch-Dest, Referer");
    assert.equal(headers.get("cross-origin-embedder-policy"), "require-corp");
    assert.equal(headers.get("cross-origin-resource-policy"), "cross-origin");
    for (const path of [home, "/developers/", "/pricing", "/place/"]) {
      await t.step(path, async () => {
        const response = await service.request(path, { headers: IN_FRAME });
        assert.match(policyOf(response), /frame-ancestors 'none'$/);
        await response.body?.cancel();
      });
    }
  });

  test(
    `createSite() serves no form for frames, and lets no frame show the answers to the form, when EMBED_ORIGINS is not set (${embed})`,
    async (service, t) => {
      for (const path of [embed, embed.slice(0, -1), "/embed.js"]) {
        await t.step(path, async () => {
          const response = await service.request(path);
          assert.equal(response.status, 404);
          await response.body?.cancel();
        });
      }
      for (
        const [name, response] of [
          ["thanks", await service.request(thanks, { headers: IN_FRAME })],
          ["a refused form", await postForm(service, lang, IN_FRAME)],
        ] as const
      ) {
        await t.step(name, async () => {
          assert.match(policyOf(response), /frame-ancestors 'none'$/);
          await response.body?.cancel();
        });
      }
    },
  );
}

Deno.test("createSite() puts the `source` of the frame's URL into the form, and keeps this source when the form is refused", async (t) => {
  await using service = await startTestService({ EMBED_ORIGINS: ORIGINS });
  const sourceOf = async (path: string, init?: RequestInit) =>
    /name="source" value="(\w+)"/.exec(await (await service.request(path, init)).text())?.[1];
  assert.equal(await sourceOf("/embed/?source=hero"), "hero");
  assert.equal(await sourceOf("/de/embed/?theme=dark&source=cta"), "cta");
  for (const other of ["", "?source=", "?source=footer", "?source=constructor"]) {
    await t.step(JSON.stringify(other), async () => {
      assert.equal(await sourceOf(`/embed/${other}`), undefined);
    });
  }
  const headers = { ...IN_FRAME, Accept: "text/html", "Content-Type": "text/plain" };
  const referer = "https://waitlist.test/embed/?source=cta";
  const unread = { method: "POST", headers: { ...headers, referer } };
  assert.equal(await sourceOf("/api/v1/waitlist", unread), "cta");
});

Deno.test("createSite() gives each page in a frame the theme that the frame's URL names", async (t) => {
  await using service = await startTestService({ EMBED_ORIGINS: ORIGINS });
  const referer = "https://waitlist.test/embed/?theme=dark";
  for (
    const [theme, name, response] of [
      ["dark", "its URL", await service.request("/embed/?theme=dark", { headers: IN_FRAME })],
      ["light", "its URL", await service.request("/embed/?theme=light", { headers: { referer } })],
      ["dark", "thanks", await service.request("/thanks/", { headers: { ...IN_FRAME, referer } })],
      ["dark", "a refused form", await postForm(service, "en", { ...IN_FRAME, referer })],
    ] as const
  ) {
    await t.step(`${name}, ${theme}`, async () => {
      const page = await response.text();
      assert.match(page, new RegExp(`<meta name="color-scheme" content="${theme}">`));
      const [, sheet = ""] = /rel="stylesheet" href="([^"]+)"/.exec(page) ?? [];
      assert(sheet.startsWith(`/assets/${theme}/site.css?v=`), sheet);
      const css = await (await service.request(sheet)).text();
      assert.doesNotMatch(css, /prefers-color-scheme/);
    });
  }
  for (const path of ["/embed/", "/embed/?theme=blue", "/thanks/?theme=dark"]) {
    await t.step(path, async () => {
      const page = await (await service.request(path)).text();
      assert.match(page, /<meta name="color-scheme" content="light dark">/);
    });
  }
});

Deno.test("joinWaitlist() sends Cross-Origin-Resource-Policy: cross-origin only with its answers to forms", async () => {
  await using service = await startTestService({ EMBED_ORIGINS: ORIGINS });
  const fields = { email: "ada@example.com", consent: true };
  const body = new URLSearchParams({ email: fields.email, consent: "on" });
  const answers = [
    await service.request("/api/v1/waitlist", { method: "POST", body }),
    await postForm(service, "en"),
    await service.request("/api/v1/waitlist", json(fields)),
    await service.request("/api/v1/waitlist", json({})),
  ].map(({ status, headers }) => [status, headers.get("cross-origin-resource-policy")]);
  const [may, mayNot] = ["cross-origin", null];
  assert.deepEqual(answers, [[303, may], [422, may], [200, mayNot], [422, mayNot]]);
});

Deno.test("createSite() compresses /embed.js to at most 1 KB, and lets other sites load the file", async () => {
  await using service = await startTestService({ EMBED_ORIGINS: ORIGINS });
  const response = await service.request("/embed.js", { headers: { "Accept-Encoding": "gzip" } });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-type"), "text/javascript; charset=utf-8");
  assert.equal(response.headers.get("cross-origin-resource-policy"), "cross-origin");
  assert((await response.bytes()).byteLength <= 1024);
});

Deno.test("createSite() lets sandboxed frames load each file of the form when EMBED_ORIGINS is set", async (t) => {
  await using service = await startTestService({ EMBED_ORIGINS: ORIGINS });
  await using without = await startTestService();
  const headersOf = ({ headers }: Response) =>
    ["access-control-allow-origin", "cross-origin-resource-policy"].map((name) =>
      headers.get(name)
    );
  const framed = await (await service.request("/embed/?theme=dark")).text();
  const thanks = await (await service.request("/thanks/", { headers: IN_FRAME })).text();
  const paths = [...`${framed}${thanks}`.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path]) => path!);
  for (const ending of [".css", ".js", ".woff2", ".svg"]) {
    await t.step(ending, () => {
      assert.ok(paths.some((path) => path.includes(`${ending}?v=`)));
    });
  }
  for (const path of new Set(paths)) {
    await t.step(path, async () => {
      const response = await service.request(path, { headers: { Origin: "null" } });
      assert.equal(response.status, 200);
      assert.deepEqual(headersOf(response), ["*", "cross-origin"]);
      const etag = response.headers.get("etag") ?? "";
      await response.body?.cancel();
      const kept = { headers: { "Origin": "null", "If-None-Match": etag } };
      assert.deepEqual(headersOf(await service.request(path, kept)), ["*", "cross-origin"]);
    });
  }
  const other = await without.request("/assets/site.css", { headers: { Origin: "null" } });
  assert.deepEqual(headersOf(other), [null, null]);
  await other.body?.cancel();
});

Deno.test("signUpForm() hides the honeypot even when no style sheet is loaded, also in a form that is shown again after a refusal", async () => {
  await using service = await startTestService({ EMBED_ORIGINS: ORIGINS });
  const pages = await Promise.all([
    ...["/", "/embed/"].map((path) => service.request(path)),
    postForm(service, "en"),
  ]);
  const hidden = /<div hidden>\n<label [^>]*>[^<]*<\/label>\n<input [^>]*name="website"/;
  for (const page of pages) assert.match(await page.text(), hidden);
});
