import assert from "node:assert/strict";
import { securityHeaders } from "../../../server/site/security_headers.ts";
import { startTestService } from "../../support/service.ts";

Deno.test("securityHeaders() are on every page, twin and 404 when they are asked for", async () => {
  await using service = await startTestService();
  for (
    const path of ["/", "/de/datenschutz/", "/developers/", "/pricing", "/de/preise", "/thanks"]
  ) {
    for (const accept of ["text/html", "text/markdown"]) {
      const { headers } = await service.request(path, { headers: { Accept: accept } });
      assert.equal(
        headers.get("content-security-policy"),
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; " +
          "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
        path,
      );
      assert.equal(headers.get("referrer-policy"), "same-origin");
      assert.equal(headers.get("x-content-type-options"), "nosniff");
      assert.match(headers.get("permissions-policy") ?? "", /camera=\(\)/);
      assert.equal(headers.get("strict-transport-security"), "max-age=63072000");
    }
  }
});

Deno.test("securityHeaders() leave HSTS out when the base URL is not https", () => {
  const { "Strict-Transport-Security": hsts, ...others } = securityHeaders("https://a.test");
  assert.equal(hsts, "max-age=63072000");
  assert.deepEqual(securityHeaders("http://localhost:8000"), others);
});

Deno.test("securityHeaders() forbid nothing that a page does when it has no inline script or style", async () => {
  await using service = await startTestService();
  for (const path of ["/", "/de/", "/developers/", "/privacy/", "/pricing"]) {
    const text = await (await service.request(path)).text();
    assert.doesNotMatch(text, /<style| style=| on[a-z]+="|<script(?![^>]* src=)|javascript:/, path);
    const external = [...text.matchAll(/<(?:script|img|link rel="(?:icon|stylesheet)")[^>]*>/g)]
      .filter(([tag]) => /(?:src|href)="(?!\/assets\/)/.test(tag));
    assert.deepEqual(external, [], path);
  }
});
