import assert from "node:assert/strict";
import { OPERATOR_KEY } from "../support/operator.ts";
import { storedSignUps } from "../support/records.ts";
import { type ListeningService, startListeningService } from "../support/socket.ts";

// Over a socket, as `Request` would tidy the paths up.
Deno.test("createApp() serves no file but its own when a path leads out of its folders", async () => {
  await using service = await startListeningService();
  for (
    const path of [
      ...["/../../../../etc/passwd", "/assets/../../deno.json", "/assets/..%2f..%2fdeno.json"],
      ...["/assets/%2e%2e/%2e%2e/deno.json", "/assets/..\\..\\deno.json"],
      ...["/assets/%252e%252e%252fdeno.json", "/assets/%c0%ae%c0%ae/deno.json"],
      ...["/assets/site.css%00.html", "//etc/passwd", "/file:///etc/passwd", "/README.png"],
      ...["/content/en/index.md", "/en/index.md", "/content/README.md", "/README.md", "/README/"],
      ...["/assets/README.png", "/.git/config", "/data/waitlist.sqlite3"],
    ]
  ) {
    const response = await service.exchange(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    assert.equal(response.status, 404, path);
    assert.doesNotMatch(await response.text(), /root:|"tasks"|repositoryformatversion/, path);
  }
});

Deno.test("createApp() lets nothing of a request end a header of its answer", async () => {
  await using service = await startListeningService();
  const injected = "%0d%0aX-Injected:%20yes%0d%0a%0d%0a%3Cscript%3E";
  for (
    const [path, status] of [
      [`/privacy?${injected}`, 308],
      [`/privacy?\rX-Injected: yes`, 400],
      [`/${injected}`, 404],
      [`/api/${injected}`, 404],
    ] as const
  ) {
    const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    const response = await service.exchange(request);
    assert.equal(response.status, status, path);
    assert.equal(response.headers.get("x-injected"), null, path);
    if (status === 308) assert.equal(response.headers.get("location"), `/privacy/?${injected}`);
  }
});

/** A request as it is sent; over a socket, as `Request` would tidy its URL up. */
function send(
  service: ListeningService,
  [method, path, host]: readonly [method: string, path: string, host: string],
): Promise<Response> {
  const body = method === "POST" ? '{"email":"ada@example.com","consent":true}' : "";
  return service.exchange(
    `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${OPERATOR_KEY}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n` +
      `Connection: close\r\n\r\n${body}`,
  );
}

// Deno builds the URL out of the Host and the path, so that a slash, a question mark or
// a number sign in the Host moves the path.
Deno.test("createApp() answers 400 before anything else when the Host is more than a host and a port", async () => {
  await using service = await startListeningService({ OPERATOR_KEY });
  for (
    const request of [
      ["POST", "/api/v1/waitlist", "x/sandbox"],
      ["POST", "/v1/waitlist", "x/api"],
      ["GET", "/v1/status", "x/api"],
      ["HEAD", "/v1/status", "x/api"],
      ["GET", "/api/v1/status", "x?"],
      ["GET", "/api/v1/status", "x#"],
      ["GET", "/api/v1/status", "x\\"],
      ["GET", "/api/v1/status", "user@x"],
      ["GET", "/api/v1/status", "x:80:80"],
      ["GET", "/api/v1/status", "x:port"],
      ["GET", "/api/v1/status", "[::1"],
      ["GET", "/api/v1/status", "\xff"],
      ["GET", "/", "x/operator/v1/clients?"],
      ["GET", "/v1/clients", "x/operator"],
      ["GET", "/operator/v1/clients", "user@x"],
      ["GET", "/", "x/"],
      ["GET", "/privacy", "x/de"],
      ["GET", "/openapi.json", "x/sandbox"],
      ["GET", "/nothing", "x?"],
      ["OPTIONS", "*", "x/"],
    ] as const
  ) {
    const response = await send(service, request);
    const label = request.join(" ");
    assert.equal(response.status, 400, label);
    assert.equal(response.headers.get("content-type"), "text/plain; charset=utf-8", label);
    assert.equal(response.headers.get("x-content-type-options"), "nosniff", label);
    assert.equal(response.headers.get("cache-control"), "no-store", label);
    assert.equal(response.headers.get("x-api-version"), null, label);
    assert.equal(response.headers.get("ratelimit-limit"), null, label);
    const text = request[0] === "HEAD" ? "" : "The Host header is more than a host and a port.\n";
    assert.equal(await response.text(), text, label);
  }
  // Deno itself refuses a second Host.
  const twice = await send(service, ["GET", "/api/v1/status", "x\r\nHost: y"]);
  assert.equal(twice.status, 400);
  assert.deepEqual(await storedSignUps(service.kv), {});
  const status = await send(service, ["GET", "/api/v1/status", "x"]);
  assert.equal(status.headers.get("ratelimit-remaining"), "119", "what is refused is not counted");
});

Deno.test("createApp() answers when the Host is a host, with a port or without, empty or absent", async () => {
  await using service = await startListeningService({ OPERATOR_KEY });
  for (
    const host of [
      ...["x", "x:8000", "x:", "127.0.0.1:80", "[::1]", "[::1]:8000", "waitlist_1.example.com"],
      ...["xn--exmple-cua.com", "EXAMPLE.com.", "x:99999", ""],
    ]
  ) {
    for (const path of ["/api/v1/status", "/operator/v1/clients", "/robots.txt"]) {
      const response = await send(service, ["GET", path, host]);
      assert.equal(response.status, 200, `${host} ${path}`);
    }
  }
  const response = await service.exchange("GET /api/v1/status HTTP/1.0\r\n\r\n");
  assert.equal(response.status, 200);
});

// RFC 9112 §3.2: no target has a fragment; a proxy that reads on behind a number sign sees another path.
// Deno 2.5 cuts the target there itself, and no application sees the rest.
Deno.test("createApp() answers 404 when the request target has a number sign", {
  ignore: Deno.version.deno.startsWith("2.5."),
}, async () => {
  await using service = await startListeningService({ OPERATOR_KEY });
  for (const path of ["/operator/v1/clients#/../../../x", "/api/v1/status#", "/#/privacy/"]) {
    assert.equal((await send(service, ["GET", path, "x"])).status, 404, path);
  }
});
