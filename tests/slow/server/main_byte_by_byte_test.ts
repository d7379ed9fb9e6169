import assert from "node:assert/strict";
import { connect } from "node:http2";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { makeTestFolder, RUNTIME } from "../../support/process.ts";
import { megabytes, startVictim } from "../../support/victim.ts";

/** Requests at once that send their bodies byte by byte. */
const REQUESTS = 10;

/** How long a body may take, and the time that the answer may need after that. */
const BODY_MS = 10_000, ANSWER_MS = 2_000;

/** The memory that these requests may take, in megabytes. */
const MAX_GROWTH = 30;

/** The longest time that stopping may take, in milliseconds. */
const STOP_MS = 5_000;

const PATHS = ["/api/v1/waitlist", "/place/", "/operator/sign-in/"];
const HEADERS = {
  origin: "http://localhost:8000",
  "content-type": "application/x-www-form-urlencoded",
  "x-forwarded-for": "192.0.2.1",
};

/** Sends bytes as a request's body, each in a chunk, until there is an answer; gives its status. */
type SendBytes = (port: number, path: string) => Promise<number>;

async function sendChunks(port: number, path: string): Promise<number> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  connection.setNoDelay(true);
  const lines = Object.entries({ ...HEADERS, host: "a" })
    .map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const encoder = new TextEncoder();
  await connection.write(
    encoder.encode(`POST ${path} HTTP/1.1\r\n${lines}transfer-encoding: chunked\r\n\r\n`),
  );
  const buffer = new Uint8Array(1_000);
  const chunk = encoder.encode("1\r\na\r\n");
  let length: number | null | undefined;
  // A service that stops may end the connection without an answer.
  const answered = connection.read(buffer).then((read) => length = read, () => length = null);
  while (length === undefined) {
    await connection.write(chunk).catch(() => answered);
    await delay(0);
  }
  const head = new TextDecoder().decode(buffer.subarray(0, length ?? 0));
  return Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]);
}

async function sendFrames(port: number, path: string): Promise<number> {
  const session = connect(`http://127.0.0.1:${port}`);
  try {
    const stream = session.request(
      { ...HEADERS, ":method": "POST", ":path": path },
      { endStream: false },
    );
    let status: number | undefined;
    stream.on("response", (headers) => status = headers[":status"]);
    // A service that stops may end the stream without an answer.
    for (const event of ["error", "close"]) stream.on(event, () => status ??= 0);
    session.on("error", () => status ??= 0);
    while (status === undefined) {
      stream.write("a");
      await delay(0);
    }
    return status;
  } finally {
    session.destroy();
  }
}

const CLIENTS: [name: string, send: SendBytes][] = [
  ["in chunks of HTTP/1.1", sendChunks],
  ["in frames of cleartext HTTP/2", sendFrames],
];

for (const [name, send] of CLIENTS) {
  Deno.test(
    `main() needs little memory and ends requests after 10 s when their bodies come byte by byte (${name})`,
    {
      // Only Linux tells the memory of another process.
      // Node serves no HTTP/2.
      ignore: Deno.build.os !== "linux" || RUNTIME === "node" && send === sendFrames,
      // The HTTP/2 client of Deno 2.5 leaves a stream open that the service has ended.
      sanitizeResources: false,
    },
    async () => {
      await using folder = await makeTestFolder();
      const service = startVictim({
        BASE_URL: HEADERS.origin,
        KV_PATH: join(folder.path, "kv.sqlite3"),
        OPERATOR_KEY: "an-operator's-key-of-many-letters",
        TRUSTED_PROXY_HOPS: "1",
      });
      const { port } = await service.serving ?? assert.fail("it did not start");
      const sendAll = () =>
        Array.from({ length: REQUESTS }, (_, n) => send(port, PATHS[n % PATHS.length]!));
      const before = megabytes(service.pid);
      let most = before;
      const began = performance.now();
      let statuses: number[] | undefined;
      const all = Promise.all(sendAll()).then((all) => statuses = all);
      while (!statuses) {
        await Promise.race([all, delay(100)]);
        most = Math.max(most, megabytes(service.pid));
      }
      const took = performance.now() - began;
      assert.deepEqual(statuses, statuses.map(() => 400));
      assert.ok(took < BODY_MS + ANSWER_MS, `answered after ${took} ms`);
      assert.ok(most - before < MAX_GROWTH, `grew from ${before} to ${most} MB`);

      const cut = Promise.allSettled(sendAll());
      await delay(1_000);
      const stopped = performance.now();
      await service.end("SIGTERM");
      const stopTook = performance.now() - stopped;
      assert.ok(stopTook < STOP_MS, `stopped after ${stopTook} ms`);
      await cut;
    },
  );
}
