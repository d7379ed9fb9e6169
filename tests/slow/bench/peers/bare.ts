/** A bare `Deno.serve` that answers every request with the status, headers and body in its argument. */
const { status, headers, body } = JSON.parse(Deno.args[0] ?? "{}");
const server = Deno.serve(
  { port: 0, hostname: "127.0.0.1", onListen() {} },
  () => new Response(body, { status, headers }),
);
console.log(`listening ${server.addr.port}`);
Deno.addSignalListener("SIGTERM", () => Deno.exit());
