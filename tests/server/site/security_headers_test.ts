import assert from "node:assert/strict";
import { securityHeaders } from "../../../server/site/security_headers.ts";
import { test } from "../../support/service.ts";

test(
  "securityHeaders() are sent with every page in HTML and Markdown, and with the 404 page",
  async (service, t) => {
    for (
      const path of ["/", "/de/datenschutz/", "/developers/", "/pricing", "/de/preise", "/thanks"]
    ) {
      for (const accept of ["text/html", "text/markdown"]) {
        await t.step(`${path} ${accept}`, async () => {
          const { headers } = await service.request(path, { headers: { Accept: accept } });
          const policy = headers.get("content-security-policy") ?? "";
          const [scripts] = policy.match(
            /(?<=script-src )https:\/\/waitlist\.test\/assets\/scripts-[0-9a-f]{16}\/(?=;)/,
          ) ?? [];
          assert.equal(
            policy,
            `default-src 'none'; script-src ${scripts}; style-src 'self'; img-src 'self'; ` +
              "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
          );
          assert.equal(headers.get("referrer-policy"), "same-origin");
          assert.equal(headers.get("x-content-type-options"), "nosniff");
          assert.match(headers.get("permissions-policy") ?? "", /camera=\(\)/);
          assert.equal(headers.get("strict-transport-security"), "max-age=63072000");
        });
      }
    }
  },
);

Deno.test("securityHeaders() returns no Strict-Transport-Security when the base URL is not https:", () => {
  const { "Strict-Transport-Security": hsts, ...others } = securityHeaders({
    baseUrl: "https://a.test",
    scriptSource: "'self'",
  });
  assert.equal(hsts, "max-age=63072000");
  assert.deepEqual(
    securityHeaders({ baseUrl: "http://localhost:8000", scriptSource: "'self'" }),
    others,
  );
});

test(
  "The pages have no inline script or style and load files only from /assets/, as the Content-Security-Policy of securityHeaders() requires",
  async (service, t) => {
    for (const path of ["/", "/de/", "/developers/", "/privacy/", "/pricing"]) {
      await t.step(path, async () => {
        const text = await (await service.request(path)).text();
        assert.doesNotMatch(text, /<style| style=| on[a-z]+="|<script(?![^>]* src=)|javascript:/);
        const external = [...text.matchAll(/<(?:script|img|link rel="(?:icon|stylesheet)")[^>]*>/g)]
          .filter(([tag]) => /(?:src|href)="(?!\/assets\/)/.test(tag));
        assert.deepEqual(external, []);
      });
    }
  },
);
