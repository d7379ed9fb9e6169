import assert from "node:assert/strict";
import { OPERATOR_KEY } from "../../support/operator.ts";
import { startListeningService } from "../../support/socket.ts";

function get(path: string, host: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${OPERATOR_KEY}\r\n` +
    "Connection: close\r\n\r\n";
}

// Such a Host is plain, and yet the request's URL is none that could be parsed.
Deno.test("importSignups takes a request when its Host has a port that there is not", async () => {
  await using service = await startListeningService({ OPERATOR_KEY });
  for (const [query, status] of [["", 200], ["?dryRun=true", 200], ["?dryRun=1", 400]] as const) {
    const response = await service.exchange(
      `POST /operator/v1/signups/import${query} HTTP/1.1\r\nHost: x:99999\r\n` +
        `Authorization: Bearer ${OPERATOR_KEY}\r\nContent-Type: application/x-ndjson\r\n` +
        "Content-Length: 0\r\nConnection: close\r\n\r\n",
    );
    assert.equal(response.status, status, query);
  }
});

// Decisions, "Operator surface". nginx decides by a path that is decoded and without dot segments, and passes
// it on as it came: where it blocks `/operator`, each of these is another path to it.
Deno.test("createOperator() is not there, whatever the key, when a path may be taken for another one", async () => {
  await using service = await startListeningService({ OPERATOR_KEY });
  const restores = "/operator/v1/restores";
  for (
    const path of [
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
    ]
  ) {
    const response = await service.exchange(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${OPERATOR_KEY}\r\n` +
        "Content-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}",
    );
    assert.equal(response.status, 404, path);
    assert.match(response.headers.get("content-type") ?? "", /^text\/html/, path);
    assert.equal(response.headers.get("ratelimit-limit"), null, path);
  }
});

Deno.test("createOperator() is not there for a path that is only decoded one of its own", async () => {
  await using service = await startListeningService({ OPERATOR_KEY });
  for (const path of ["/%6Fperator/v1/clients", "/OPERATOR/v1/clients", "//operator/v1/clients"]) {
    const response = await service.exchange(get(path, "x"));
    assert.equal(response.status, 404, path);
    assert.equal(response.headers.get("ratelimit-limit"), null);
  }
});
