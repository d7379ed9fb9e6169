import assert from "node:assert/strict";
import {
  hasPlainAuthority,
  isAmbiguousPath,
  rawPath,
  rawQuery,
} from "../../../server/http/request.ts";

// Paths are matched byte for byte, in URLs as `Deno.serve` gives them: as they were sent.
Deno.test("rawPath() returns the path of a URL unchanged, without the query", async (t) => {
  const cases: [url: string, expected: string][] = [
    ["http://localhost/", "/"],
    ["http://localhost:8000/api/v1/status", "/api/v1/status"],
    ["http://localhost/api/v1/status?a=/b", "/api/v1/status"],
    ["http://localhost/api/v1/status#/x", "/api/v1/status#/x"],
    ["http://localhost/api/v1/status#x?y", "/api/v1/status#x"],
    ["http://localhost/api/v1/", "/api/v1/"],
    ["http://localhost//api/v1", "//api/v1"],
    ["http://localhost/api/%761", "/api/%761"],
    ["http://localhost/api/%2e%2E/x", "/api/%2e%2E/x"],
    ["http://localhost/api/../v1/./x", "/api/../v1/./x"],
    ["http://localhost/API/v1", "/API/v1"],
    ["http://localhost/api/v1;a=b", "/api/v1;a=b"],
    ["http://[::1]:8000/api/v1", "/api/v1"],
    ["http://localhost/http://other/api/v1", "/http://other/api/v1"],
    // A request in absolute form can go without a path.
    ["http://localhost", "/"],
    ["http://localhost?/api/v1", "/"],
    ["http://localhost?x=/api/v1", "/"],
    ["http://localhost#/api/v1", "#/api/v1"],
  ];
  for (const [url, expected] of cases) {
    await t.step(url, () => {
      assert.equal(rawPath(url), expected);
    });
  }
});

Deno.test("isAmbiguousPath() is true for dot segments and backslashes, also when they are percent-encoded", async (t) => {
  for (
    const path of [
      ...["/operator/..", "/operator/../x", "/operator/.", "/operator/./v1", "/operator/v1/.."],
      ...["/operator/%2e", "/operator/%2E%2e/x", "/operator/..%2fx", "/operator/v1%2Fx"],
      ...["/operator/v1/..%5cx", "/operator/%5Cx", "/operator/..\\x", "/operator/v1/a%2eb"],
    ]
  ) {
    await t.step(path, () => {
      assert.equal(isAmbiguousPath(path), true);
    });
  }
  for (
    const path of [
      ...["/operator", "/operator/", "/operator/v1/openapi.json", "/operator/v1/clients/a.b..c"],
      ...["/operator/v1/clients/..a/enable", "/operator/v1/%61", "/operator//v1", "/operator/..."],
    ]
  ) {
    await t.step(path, () => {
      assert.equal(isAmbiguousPath(path), false);
    });
  }
});

Deno.test("rawQuery() returns the query of a URL, even if the URL cannot be parsed", async (t) => {
  const cases: [url: string, query: string][] = [
    ["http://host/path", ""],
    ["http://host/path?", "?"],
    ["http://host/path?a=1&b=?", "?a=1&b=?"],
    ["http://host/path?a=1#b", "?a=1"],
    ["http://[/path?a=1", "?a=1"],
  ];
  for (const [url, query] of cases) {
    await t.step(url, () => {
      assert.equal(rawQuery(url), query);
    });
  }
});

// Deno copies the `:authority` of HTTP/2, which has no Host, into the URL.
Deno.test("hasPlainAuthority() checks the host and port of the URL when the request has no Host header", async (t) => {
  const cases: [url: string, expected: boolean][] = [
    ["http://x/", true],
    ["http://x:80/api", true],
    ["http://[::1]:8000/api", true],
    ["http://user@x/api", false],
    ["http://x;y/api", false],
    ["http://x,y/api", false],
  ];
  for (const [url, expected] of cases) {
    await t.step(url, () => {
      assert.equal(hasPlainAuthority({ url, headers: new Headers() } as Request), expected);
    });
  }
});
