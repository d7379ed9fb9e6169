import assert from "node:assert/strict";
import { assertApiHeaders, headersOf, newAddress } from "../../support/answers.ts";
import { assertNothingStored } from "../../support/records.ts";
import { startTestService, test, type TestRequestInit } from "../../support/service.ts";

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const JOIN = "/api/v1/waitlist";
const TOO_LONG = `email=${"a".repeat(65_536)}`;

/** A form post as a browser without scripts sends it. */
function post(fields: Record<string, string> | string, headers: Record<string, string> = {}) {
  const body = typeof fields === "string" ? fields : `${new URLSearchParams(fields)}`;
  const type = "application/x-www-form-urlencoded";
  return {
    method: "POST",
    headers: { "Accept": BROWSER, "Content-Type": type, ...headers },
    body,
    from: newAddress(),
  } satisfies TestRequestInit;
}

/** The text of the fault that stands beside a field, or beside the button. */
function faultIn(page: string, field?: "email" | "consent"): string | undefined {
  const tag = field ? `id="sign-up-again-${field}-fault"` : 'role="alert"';
  return new RegExp(`<p class="fault[^>]*${tag}[^>]*>([^<]*)</p>`).exec(page)?.[1];
}

const CASES: [
  name: string,
  fields: Record<string, string> | string,
  status: number,
  field: "email" | "consent" | undefined,
  english: RegExp,
  german: RegExp,
][] = [
  ["invalid_email", { email: "ada", consent: "on" }, 422, "email", /enter an e‑m/, /geben Sie/],
  ["an umlaut", { email: "jörg@a.de", consent: "on" }, 422, "email", /such as ä/, /mit Umlauten/],
  [
    "an invisible character",
    { email: "ada\u200b@a.de", consent: "on" },
    ...[
      422,
      "email",
      /remove U\+200B, an invisible character,/,
      /U\+200B, ein unsichtbares/,
    ] as const,
  ],
  [
    "a space",
    { email: "\u00a0ada@a.de", consent: "on" },
    ...[422, "email", /remove U\+00A0, a space,/, /U\+00A0, ein Leerzeichen/] as const,
  ],
  ["consent_required", { email: "a@example.com" }, 422, "consent", /tick the/, /Häkchen/],
  ["invalid_request", { email: "a@example.com", x: "1" }, 400, undefined, /cannot re/, /nicht le/],
  ["payload_too_large", TOO_LONG, 413, undefined, /cannot read/, /nicht lesen/],
];

for (const [lang, lead] of [["en", "Not quite there yet"], ["de", "Fast geschafft"]] as const) {
  for (const [name, fields, status, field, english, german] of CASES) {
    // Clauses: contract "Errors" shape.
    test(`joinWaitlist() answers a browser's form with an error page in ${lang} when the fault is: ${name}`, async (service) => {
      // The body of the last case is not read, so that the browser's language counts.
      const given = typeof fields === "string" ? fields : { lang, ...fields };
      const response = await service.request(JOIN, post(given, { "Accept-Language": lang }));
      const page = await response.text();
      assert.equal(response.status, status, page);
      assertApiHeaders(response);
      assert.equal(response.headers.get("content-type"), "text/html; charset=utf-8");
      assert.match(page, new RegExp(`<html lang="${lang}">[^]*<h1>${lead}</h1>`));
      assert.match(faultIn(page, field) ?? "", lang === "en" ? english : german);
      assert(page.includes(`<a href="${lang === "en" ? "/" : "/de/"}">`), "a way back");
      await assertNothingStored(service.kv);

      const asJson = await service.request(
        JOIN,
        post(given, { Accept: "application/json, text/html" }),
      );
      const { "content-type": type, ...headers } = headersOf(asJson);
      assert.equal(type, "application/json");
      for (const [header, value] of Object.entries(headers)) {
        assert.equal(response.headers.get(header), value, header);
      }
      await asJson.body?.cancel();
    });
  }
}

test("joinWaitlist() names both faults on the error page when the address is wrong and the consent is missing", async (service) => {
  const page = await (await service.request(JOIN, post({ email: "ada" }))).text();
  assert.match(faultIn(page, "email") ?? "", /enter an e‑mail address/);
  assert.match(faultIn(page, "consent") ?? "", /tick the box/);
  assert.equal(page.match(/ aria-invalid="true"/g)?.length, 2);
  assert.match(page, /name="email"[^>]* autofocus>/);
  assert.equal(page.match(/ autofocus/g)?.length, 1);
});

test(
  "joinWaitlist() answers 415 with an error page when a company's own form is sent as multipart or plain text",
  async (service, t) => {
    for (const type of ["multipart/form-data; boundary=x", "Multipart/Form-Data", "text/plain"]) {
      for (const [lang, fault] of [["en", /cannot read/], ["de", /nicht lesen/]] as const) {
        await t.step(`${type} ${lang}`, async () => {
          const init = post("--x--", { "Content-Type": type, "Accept-Language": lang });
          const response = await service.request(JOIN, init);
          const page = await response.text();
          assert.equal(response.status, 415, page);
          assertApiHeaders(response);
          assert.equal(response.headers.get("content-type"), "text/html; charset=utf-8");
          assert(page.includes(`<html lang="${lang}">`));
          assert.match(faultIn(page) ?? "", fault);
          assert.match(page, /<form method="post" action="\/api\/v1\/waitlist"/);
        });
      }
    }
    await assertNothingStored(service.kv);
  },
);

test(
  "joinWaitlist() escapes the typed values when it shows the form again",
  async (service, t) => {
    const email = `"><script>alert(1)</script>{{contact}}$&`;
    const fields = { email, consent: "true", source: "cta", lang: "de" };
    for (const path of [JOIN, `/sandbox${JOIN}`]) {
      await t.step(path, async () => {
        const page = await (await service.request(path, post(fields))).text();
        const value = "&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;{{contact}}$&amp;";
        assert(page.includes(`value="${value}" aria-invalid="true" autofocus>`), page);
        assert.match(page, /name="consent" type="checkbox"[^>]* checked>/);
        assert(page.includes('<input type="hidden" name="source" value="cta">'));
        assert(page.includes('<input type="hidden" name="lang" value="de">'));
        assert(page.includes(`action="${path}"`), "a sandbox's form stays in the sandbox");
      });
    }
    const other = { email: "a@example.com", source: "<b>", website: "", consent: "no" };
    const page = await (await service.request(JOIN, post(other))).text();
    assert.doesNotMatch(page, /name="source"|<b>| checked/);
  },
);

test("joinWaitlist() shows the seconds to wait, and does not read the form, when the request limit is reached", async (service) => {
  const fields = { email: "ada@", consent: "true", source: "cta", lang: "en" };
  const request = post(fields, { "Accept-Language": "de-AT" });
  let response = await service.request(JOIN, request);
  while (response.status === 422) {
    await response.body?.cancel();
    response = await service.request(JOIN, request);
  }
  assert.equal(response.status, 429);
  assertApiHeaders(response);
  const page = await response.text();
  const seconds = response.headers.get("retry-after");
  assert.match(faultIn(page) ?? "", new RegExp(`in ${seconds} s noch`));
  assert.match(page, /name="email"[^>]* value="">/);
  assert.doesNotMatch(page, /name="source"| checked/);
});

Deno.test("joinWaitlist() shows the typed values again, and logs the cause, when KV fails", async () => {
  const service = await startTestService();
  service.kv.close();
  const fields = { email: "ada@example.com", consent: "on", lang: "en" };
  const response = await service.request(JOIN, post(fields));
  const page = await response.text();
  assert.equal(response.status, 500);
  assert.match(faultIn(page) ?? "", /went wrong on our side/);
  assert(page.includes('value="ada@example.com"'));
  assert(service.log.some(({ level, cause, error }) => level === "error" && (cause ?? error)));
  await service.stop();
});

// Clauses: contract "Errors" shape.
test(
  "joinWaitlist() answers with JSON when the body is not a form, or when Accept does not prefer HTML",
  async (service, t) => {
    const json = { "Content-Type": "application/json" };
    for (
      const [name, init, status] of [
        ["JSON", post('{"email":"a"}', json), 422],
        ["XML", post("", { "Content-Type": "application/xml" }), 415],
        [
          "a form in parts, any answer",
          post("", { "Content-Type": "multipart/form-data", "Accept": "*/*" }),
          415,
        ],
        ["a form, any answer", post({ email: "a" }, { Accept: "*/*" }), 422],
        ["PUT", { ...post("", { Accept: BROWSER }), method: "PUT" }, 405],
      ] as const
    ) {
      await t.step(name, async () => {
        const response = await service.request(JOIN, init);
        assert.equal(response.status, status);
        assert.equal(response.headers.get("content-type"), "application/json");
        await response.body?.cancel();
      });
    }
  },
);
