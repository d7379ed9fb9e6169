import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { RUN, RUN_VARIABLES, startProcess } from "../../../support/process.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const PROGRAM = fileURLToPath(import.meta.resolve("./long_work.ts"));

/** Opens a connection for requests, each of which the server answers with a number. */
async function connect(port: number) {
  const connection = await Deno.connect({ hostname: "127.0.0.1", port });
  return {
    send: (method: string) =>
      connection.write(
        encoder.encode(`${method} /work HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n`),
      ),
    async answer() {
      const buffer = new Uint8Array(1_000);
      let text = "";
      while (!/\r\n\r\n\d+$/.test(text)) {
        const size = await connection.read(buffer) ?? assert.fail(`The answer ended: ${text}`);
        text += decoder.decode(buffer.subarray(0, size));
      }
      return Number(/\d+$/.exec(text)![0]);
    },
    [Symbol.dispose]: () => connection.close(),
  };
}

Deno.test("letRequestsArrive() lets a request be handled that came before a part of long work, when Deno runs with the variables of the start task", async () => {
  await using program = startProcess([...RUN.deno(), PROGRAM], {
    env: RUN_VARIABLES.deno,
    stdin: "piped",
  });
  const port = Number(/\d+/.exec(await program.stdout.find(/port \d+/) ?? ""));
  using worker = await connect(port);
  using visitor = await connect(port);
  await visitor.send("GET");
  assert.equal(await visitor.answer(), 0);
  await worker.send("POST");
  assert.ok(await program.stdout.find(/waiting for a byte/));
  await visitor.send("GET");
  const stdin = program.child.stdin.getWriter();
  await stdin.write(new Uint8Array(1));
  await stdin.close();
  const partsBefore = await visitor.answer();
  assert.equal(await worker.answer(), 1_000);
  // Deno reads the socket after the first part, and calls the handler after one or two further parts.
  assert.ok(partsBefore <= 5, `${partsBefore} parts of the work were done before`);
});
