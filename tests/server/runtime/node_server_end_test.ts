import assert from "node:assert/strict";
import { createServer } from "node:net";
import { watchServerEnd } from "../../../server/runtime/node_server_end.ts";

/** A server that listens on any free port. */
async function listen() {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

Deno.test("watchServerEnd() resolves both of its promises when the server is closed", async () => {
  const server = await listen();
  const { closed, finished } = watchServerEnd(server);
  server.close();
  await Promise.all([closed, finished]);
});

Deno.test("watchServerEnd() rejects `finished` when a connection cannot be accepted, and survives a second error", async () => {
  const server = await listen();
  const { closed, finished } = watchServerEnd(server);
  server.emit("error", new Error("accept ENFILE"));
  server.emit("error", new Error("accept ENOMEM"));
  await assert.rejects(finished, { message: "accept ENFILE" });
  server.close();
  await closed;
});
