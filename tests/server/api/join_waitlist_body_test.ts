import assert from "node:assert/strict";
import { assertAccepted, assertError, assertThanks, newAddress } from "../../support/answers.ts";
import { assertNothingStored, storedSignUps } from "../../support/records.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { startListeningService } from "../../support/socket.ts";

// Contract, "Limits": 64 KB, which decisions, "Sign-up" names as 65,536 bytes.
const LIMIT = 65_536;
const FORM = "application/x-www-form-urlencoded";
const SIGN_UP = '{"email":"ada@example.com","consent":true}';

/** JSON of a valid sign-up, filled up with spaces. */
function jsonOf(bytes: number): string {
  return SIGN_UP + " ".repeat(bytes - SIGN_UP.length);
}

/** A valid form, filled up in its address and the honeypot that follows it, so that it is accepted. */
function formOf(bytes: number): string {
  const start = "email=ada@example.com&consent=on&website=";
  return start + "x".repeat(bytes - start.length);
}

/** A body in chunks, which declares no length. */
function chunked(text: string): ReadableStream<Uint8Array<ArrayBuffer>> {
  const bytes = new TextEncoder().encode(text);
  let offset = 0;
  return new ReadableStream({
    pull(controller) {
      if (offset >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(offset, offset += 10_000));
    },
  });
}

function send(
  service: TestService,
  request: { body: BodyInit; type?: string; length?: number; path?: string },
): Promise<Response> {
  const { body, type = "application/json", length, path = "/api/v1/waitlist" } = request;
  const headers = new Headers({ "Content-Type": type });
  if (length !== undefined) headers.set("Content-Length", String(length));
  return service.request(path, { method: "POST", headers, body, from: newAddress() });
}

Deno.test("joinWaitlist() takes a body of exactly 65,536 bytes", async () => {
  for (const body of [jsonOf(LIMIT), chunked(jsonOf(LIMIT))]) {
    await using service = await startTestService();
    await assertAccepted(await send(service, { body }));
    assert.deepEqual(Object.keys(await storedSignUps(service.kv)), ["ada@example.com"]);
  }
  await using service = await startTestService();
  await assertAccepted(await send(service, { body: jsonOf(LIMIT), length: LIMIT }));
  for (const body of [formOf(LIMIT), chunked(formOf(LIMIT))]) {
    await assertThanks(await send(service, { body, type: FORM }), "/thanks/");
  }
});

// Clauses: RFC 9110 §15.5.14.
Deno.test("joinWaitlist() refuses a body of 65,537 bytes with 413 payload_too_large", async () => {
  await using service = await startTestService();
  const tooLarge = LIMIT + 1;
  const paths = ["/api/v1/waitlist", "/api/waitlist", "/sandbox/api/v1/waitlist"];
  for (const path of paths) {
    for (
      const request of [
        { body: jsonOf(tooLarge), length: tooLarge },
        { body: jsonOf(tooLarge) },
        { body: chunked(jsonOf(tooLarge)) },
        { body: formOf(tooLarge), length: tooLarge, type: FORM },
        { body: chunked(formOf(tooLarge)), type: FORM },
        // A length that declares too little does not help.
        { body: jsonOf(tooLarge), length: 10 },
        // Bytes count, not characters.
        { body: `${SIGN_UP}${"\u2003".repeat(LIMIT / 3)}` },
      ]
    ) {
      const message = await assertError(
        await send(service, { ...request, path }),
        413,
        "payload_too_large",
      );
      assert.ok(message.includes("65536"), message);
    }
  }
  await assertNothingStored(service.kv);
});

// Whoever still reads the answer has met a service that stops, and may have sent good JSON.
Deno.test("joinWaitlist() asks for the body again when it breaks off", async () => {
  await using service = await startTestService();
  const broken = () =>
    new ReadableStream({ pull: () => Promise.reject(new Error("connection reset")) });
  for (const request of [{ body: broken() }, { body: broken(), type: FORM }]) {
    const message = await assertError(await send(service, request), 400, "invalid_request");
    assert.match(message, /send it again/);
  }
  await assertNothingStored(service.kv);
});

/** The head of a sign-up request over a socket. */
function head(...headers: string[]): string {
  return ["POST /api/v1/waitlist HTTP/1.1", "Host: localhost", ...headers, "", ""].join("\r\n");
}

const AS_JSON = "Content-Type: application/json";

// Decisions, "Sign-up": a declared larger Content-Length is refused before reading.
Deno.test("joinWaitlist() answers 413 over a socket before any of a larger body is sent", async () => {
  await using service = await startListeningService();
  for (const length of ["65537", "4294967296", "9007199254740993"]) {
    const response = await service.exchange(head(AS_JSON, `Content-Length: ${length}`));
    await assertError(response, 413, "payload_too_large");
  }
  await assertNothingStored(service.kv);
});

// Decisions, "Sign-up": a chunked body is cut at the limit.
Deno.test("joinWaitlist() answers 413 over a socket while a chunked body goes on", async () => {
  await using service = await startListeningService();
  const chunk = `${(LIMIT + 1).toString(16)}\r\n${jsonOf(LIMIT + 1)}\r\n`;
  // The last chunk never comes, so an answer shows that the service did not wait for it.
  const request = head(AS_JSON, "Transfer-Encoding: chunked") + chunk;
  await assertError(await service.exchange(request), 413, "payload_too_large");
  await assertNothingStored(service.kv);
});

Deno.test("joinWaitlist() takes 65,536 bytes over a socket, declared and chunked", async () => {
  await using service = await startListeningService();
  const declared = head(AS_JSON, `Content-Length: ${LIMIT}`) + jsonOf(LIMIT);
  await assertAccepted(await service.exchange(declared));
  // What frames the chunks does not count, however long it is.
  for (
    const last of ["0\r\n\r\n", `0;x=${"x".repeat(2_000)}\r\nX-Sum: ${"x".repeat(2_000)}\r\n\r\n`]
  ) {
    const chunks = `${LIMIT.toString(16)}\r\n${jsonOf(LIMIT)}\r\n${last}`;
    const response = await service.exchange(head(AS_JSON, "Transfer-Encoding: chunked") + chunks);
    await assertAccepted(response);
  }
  assert.deepEqual(Object.keys(await storedSignUps(service.kv)), ["ada@example.com"]);
});
