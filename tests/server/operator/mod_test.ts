import assert from "node:assert/strict";
import { assertDescribed, assertOperatorError, OPERATOR_KEY } from "../../support/operator.ts";
import { startOperatedService, test } from "../../support/operator.ts";
import { form, startTestService } from "../../support/service.ts";

const CLIENTS = "/operator/v1/clients";

function bearer(key: string): RequestInit {
  return { headers: { Authorization: `Bearer ${key}` } };
}

Deno.test("createOperator() is not there, and its paths are the site's plain 404, when there is no key", async () => {
  await using service = await startTestService();
  const accept = { Accept: "text/html", Authorization: `Bearer ${OPERATOR_KEY}` };
  const missing = await service.request("/no-such-page", { headers: accept });
  const page = await missing.text();
  const console = ["/operator", "/operator/", "/operator/sign-in/", "/operator/people/"];
  for (const path of [...console, CLIENTS, "/operator/v1/openapi.json"]) {
    const response = await service.request(path, { headers: accept });
    assert.equal(response.status, 404);
    assert.deepEqual([...response.headers], [...missing.headers]);
    assert.equal(await response.text(), page);
  }
  const sent = await service.request("/operator/sign-in/", form({ key: OPERATOR_KEY }));
  assert.equal(sent.status, 404);
});

test("createOperator() answers 401 with a challenge when the key is missing or wrong", async ({ request }) => {
  const wrong: [name: string, init: RequestInit][] = [
    ["none", {}],
    ["empty", { headers: { Authorization: "Bearer " } }],
    ["another", bearer("x".repeat(OPERATOR_KEY.length))],
    ["its beginning", bearer(OPERATOR_KEY.slice(0, -1))],
    ["more than it", bearer(`${OPERATOR_KEY}x`)],
    ["in capitals", bearer(OPERATOR_KEY.toUpperCase())],
    ["another scheme", { headers: { Authorization: `Basic ${btoa(`:${OPERATOR_KEY}`)}` } }],
  ];
  for (const [name, init] of wrong) {
    for (const path of [CLIENTS, "/operator/v1", "/operator/v1/none"]) {
      const response = await request(path, init);
      assert.equal(response.status, 401, name);
      assert.equal(response.headers.get("www-authenticate"), 'Bearer realm="operator"');
      if (path === CLIENTS) await assertDescribed({ path }, response);
      const message = await assertOperatorError(response, 401, "unauthorized");
      assert.ok(!message.includes(OPERATOR_KEY));
    }
  }
});

test("createOperator() takes the key when the scheme is written in any case", async ({ request }) => {
  for (const scheme of ["Bearer", "bearer", "BEARER "]) {
    const headers = { Authorization: `${scheme} ${OPERATOR_KEY}` };
    assert.equal((await request(CLIENTS, { headers })).status, 200);
  }
});

test("createOperator() counts 600 calls with the key, and those without under the public limit", async ({ operate, request }) => {
  for (let call = 1; call <= 30; call++) {
    assert.equal((await request(CLIENTS, bearer("wrong"))).status, 401);
  }
  const refused = await request(CLIENTS, bearer("wrong"));
  assert.equal(refused.status, 429);
  assert.equal(refused.headers.get("retry-after"), "40");
  assert.equal(refused.headers.get("ratelimit-policy"), "30;w=60");
  await assertDescribed({ path: CLIENTS }, refused);
  // The public window is the same one.
  assert.equal((await request("/api/v1")).status, 429);

  const known = await operate("/clients");
  assert.equal(known.status, 200);
  assert.equal(known.headers.get("ratelimit-policy"), "600;w=60");
  assert.equal(known.headers.get("ratelimit-remaining"), "599");
  for (let call = 2; call <= 600; call++) await request(CLIENTS, bearer(OPERATOR_KEY));
  await assertOperatorError(await operate("/clients"), 429, "rate_limited");
  assert.equal((await operate("/clients", undefined, { from: "192.0.2.9" })).status, 200);
});

test("createOperator() answers 404 when nothing is at the path", async ({ operate }) => {
  for (const path of ["/clients/", "/Clients", "/clients/a/b/c", "/openapi0json"]) {
    await assertOperatorError(await operate(path), 404, "not_found");
  }
});

test("createOperator() answers 405 with the methods of the path when the method is another", async ({ operate }) => {
  const cases = [
    ["/clients", "DELETE", "GET, HEAD, POST"],
    ["/clients", "OPTIONS", "GET, HEAD, POST"],
    ["/openapi.json", "POST", "GET, HEAD"],
  ] as const;
  for (const [path, method, allow] of cases) {
    const response = await operate(path, undefined, { method });
    assert.equal(response.headers.get("allow"), allow);
    const message = await assertOperatorError(response, 405, "method_not_allowed");
    assert.ok(message.includes(allow.replaceAll(", ", " or ")), message);
  }
});

Deno.test("createOperator() serves its own document, and no public one names the surface", async () => {
  await using service = await startOperatedService({ BASE_URL: "https://waitlist.test" });
  const response = await service.operate("/openapi.json");
  assert.equal(response.status, 200);
  const { servers, paths } = await response.json();
  assert.deepEqual(servers, [{ url: "https://waitlist.test" }]);
  assert.ok("/operator/v1/clients" in paths);
  const documents = ["/openapi.json", "/openapi.json.md", "/.well-known/api-catalog"];
  const files = ["/llms.txt", "/robots.txt", "/sitemap.xml"];
  for (const path of [...documents, ...files, "/api/v1", "/developers/"]) {
    const text = await (await service.request(path)).text();
    assert.ok(!text.includes("/operator"), path);
  }
});

test("createOperator() calls a request in the log by its operation", async ({ log, operate }) => {
  await operate("/clients");
  await operate("/clients", {});
  await operate("/clients/nobody/disable", undefined, { method: "POST" });
  await operate("/clients", undefined, { method: "DELETE" });
  await operate("/none");
  const named = log.filter(({ event }) => event === "request")
    .map(({ operation, status }) => `${operation} ${status}`);
  assert.deepEqual(named, [
    "operator.listClients 200",
    "operator.createClient 400",
    "operator.disableClient 404",
    "operator.unknown 405",
    "operator.unknown 404",
  ]);
});
