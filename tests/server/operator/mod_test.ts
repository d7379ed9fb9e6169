import assert from "node:assert/strict";
import {
  assertDescribed,
  assertOperatorError,
  OPERATOR_KEY,
  readNdjson,
  startOperatedService,
  test,
} from "../../support/operator.ts";
import { form, startTestService } from "../../support/service.ts";
import { fill } from "../../support/backups.ts";
import { Commit } from "../../../server/store/kv/engine.ts";
import { startListeningService } from "../../support/socket.ts";

const CLIENTS = "/operator/v1/clients";

function bearer(key: string): RequestInit {
  return { headers: { Authorization: `Bearer ${key}` } };
}

Deno.test("createOperatorSurface() answers its paths with the site's 404 page when no operator key is set", async (t) => {
  await using service = await startTestService();
  const accept = { Accept: "text/html", Authorization: `Bearer ${OPERATOR_KEY}` };
  const missing = await service.request("/no-such-page", { headers: accept });
  const page = await missing.text();
  const console = ["/operator", "/operator/", "/operator/sign-in/", "/operator/people/"];
  for (const path of [...console, CLIENTS, "/operator/v1/openapi.json"]) {
    await t.step(path, async () => {
      const response = await service.request(path, { headers: accept });
      assert.equal(response.status, 404);
      assert.deepEqual([...response.headers], [...missing.headers]);
      assert.equal(await response.text(), page);
    });
  }
  const sent = await service.request("/operator/sign-in/", form({ key: OPERATOR_KEY }));
  assert.equal(sent.status, 404);
});

test(
  "createOperatorSurface() answers 401 with WWW-Authenticate when the operator key is missing or wrong",
  async ({ request }, t) => {
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
        await t.step(`${name}: ${path}`, async () => {
          const response = await request(path, init);
          assert.equal(response.status, 401);
          assert.equal(response.headers.get("www-authenticate"), 'Bearer realm="operator"');
          if (path === CLIENTS) await assertDescribed({ path }, response);
          const message = await assertOperatorError(response, 401, "unauthorized");
          assert.ok(!message.includes(OPERATOR_KEY));
        });
      }
    }
  },
);

test(
  "createOperatorSurface() accepts the scheme 'Bearer' in upper and lower case",
  async ({ request }, t) => {
    for (const scheme of ["Bearer", "bearer", "BEARER "]) {
      await t.step(JSON.stringify(scheme), async () => {
        const headers = { Authorization: `${scheme} ${OPERATOR_KEY}` };
        assert.equal((await request(CLIENTS, { headers })).status, 200);
      });
    }
  },
);

test("createOperatorSurface() allows 600 calls a minute with a right key, and applies the limit 'default' to calls with a wrong key", async ({ operate, request }) => {
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

test("createOperatorSurface() answers 404 to an unknown path", async ({ operate }, t) => {
  for (const path of ["/clients/", "/Clients", "/clients/a/b/c", "/openapi0json"]) {
    await t.step(path, async () => {
      await assertOperatorError(await operate(path), 404, "not_found");
    });
  }
});

test(
  "createOperatorSurface() answers 405 with Allow when the path does not accept the method",
  async ({ operate }, t) => {
    const cases = [
      ["/clients", "DELETE", "GET, HEAD, POST"],
      ["/clients", "OPTIONS", "GET, HEAD, POST"],
      ["/openapi.json", "POST", "GET, HEAD"],
    ] as const;
    for (const [path, method, allow] of cases) {
      await t.step(`${method} ${path}`, async () => {
        const response = await operate(path, undefined, { method });
        assert.equal(response.headers.get("allow"), allow);
        const message = await assertOperatorError(response, 405, "method_not_allowed");
        assert.ok(message.includes(allow.replaceAll(", ", " or ")), message);
      });
    }
  },
);

Deno.test("createOperatorSurface() serves the OpenAPI document of the operator surface, and no public document names a path of this surface", async (t) => {
  await using service = await startOperatedService({
    BASE_URL: "https://waitlist.test",
    CONTACT: "mailto:api@waitlist.test",
    SITE_NAME: "Acme",
  });
  const response = await service.operate("/openapi.json");
  assert.equal(response.status, 200);
  const { info, servers, paths } = await response.json();
  assert.deepEqual(info.contact, { name: "Acme", email: "api@waitlist.test" });
  assert.deepEqual(servers, [{ url: "https://waitlist.test" }]);
  assert.ok("/operator/v1/clients" in paths);
  const documents = ["/openapi.json", "/openapi.json.md", "/.well-known/api-catalog"];
  const files = ["/llms.txt", "/robots.txt", "/sitemap.xml"];
  for (const path of [...documents, ...files, "/api/v1", "/developers/"]) {
    await t.step(path, async () => {
      const text = await (await service.request(path)).text();
      assert.ok(!text.includes("/operator"));
    });
  }
});

test("createOperatorSurface() logs each request with the name of its operation", async ({ log, operate }) => {
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

test("Streamed answers have the number of sign-ups in X-Total-Count", async (service) => {
  const paths = ["/signups/export", "/counters/verify", "/counters/repair", "/backup"];
  const totals = () =>
    Promise.all(paths.map(async (path) => {
      const response = await service.operate(path, {});
      await response.text();
      return response.headers.get("x-total-count");
    }));
  assert.deepEqual(await totals(), ["0", "0", "0", "0"]);
  await fill(service);
  assert.deepEqual(await totals(), ["3", "3", "3", "3"]);
  const other = await service.operate("/clients");
  assert.equal(other.headers.get("x-total-count"), null);
});

test("Streamed answers have no X-Total-Count when the counter is damaged", async ({ kv, operate }) => {
  const key = ["statistics", "total"];
  for (const damaged of [new Commit().delete(key).add(key, -1), new Commit().set(key, "three")]) {
    await kv.commit(damaged);
    const response = await operate("/signups/export", {});
    assert.equal(response.headers.get("x-total-count"), null);
    assert.equal((await readNdjson(response)).length, 2);
  }
});

// Such a Host is plain, and yet the request's URL is none that could be parsed.
Deno.test("importSignups accepts a request whose Host has a port above 65535", async (t) => {
  await using service = await startListeningService({ OPERATOR_KEY });
  for (const [query, status] of [["", 200], ["?dryRun=true", 200], ["?dryRun=1", 400]] as const) {
    await t.step(JSON.stringify(query), async () => {
      const response = await service.exchange(
        `POST /operator/v1/signups/import${query} HTTP/1.1\r\nHost: x:99999\r\n` +
          `Authorization: Bearer ${OPERATOR_KEY}\r\nContent-Type: application/x-ndjson\r\n` +
          "Content-Length: 0\r\nConnection: close\r\n\r\n",
      );
      assert.equal(response.status, status);
    });
  }
});

// nginx decides by a path that is decoded and without dot segments, and passes
// it on as it came: where it blocks `/operator`, each of these is another path to it.
Deno.test("createOperatorSurface() answers 404 when a path has escapes, dot segments, capital letters or double slashes, even if the key is right", async (t) => {
  await using service = await startListeningService({ OPERATOR_KEY });
  const restores = "/operator/v1/restores";
  const paths = [
    "/operator/../x",
    "/operator/..",
    "/operator/./v1/clients",
    "/operator/%2e%2e/x",
    "/operator/v1/..%2f..%2fx",
    `${restores}/..%2f..%2f..%2fx/finish`,
    `${restores}/..%2F..%2Fx/lines`,
    "/operator/v1/clients/%2E%2E/rotate",
    "/operator/v1/clients/..%5c..%5cx/disable",
    "/operator/v1/clients/..%5C..%5Cx/enable",
    "/operator/v1/clients/..\\..\\x/enable",
    // It is one of its own only once it is decoded.
    "/%6Fperator/v1/clients",
    "/OPERATOR/v1/clients",
    "//operator/v1/clients",
  ];
  for (const path of paths) {
    await t.step(path, async () => {
      const response = await service.exchange(
        `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${OPERATOR_KEY}\r\n` +
          "Content-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}",
      );
      assert.equal(response.status, 404);
      assert.match(response.headers.get("content-type") ?? "", /^text\/html/);
      assert.equal(response.headers.get("ratelimit-limit"), null);
    });
  }
});
