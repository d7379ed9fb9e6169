/**
 * A server with one piece of long work, `POST /work`, which begins once the program has read a byte from its standard
 * input. Any other request is answered with the number of parts of the work that are done. @module
 */
import { letRequestsArrive } from "../../../../server/runtime/mod.ts";

const PARTS = 1_000;
let parts = 0;

const { port } = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
  if (request.method !== "POST") return new Response(String(parts));
  console.log("waiting for a byte");
  // Blocks the process, so that it can read no request before the work begins.
  Deno.stdin.readSync(new Uint8Array(1));
  for (; parts < PARTS; parts++) await letRequestsArrive();
  return new Response(String(parts));
}).addr;
console.log(`port ${port}`);
