/** Below the ports that Linux gives to outgoing connections, one of which could take a free port before it is used. */
const FIRST = 20_000, COUNT = 10_000;

/** How many ports after the first one is the next; at random, as other processes look for ports too. */
let next = Math.floor(Math.random() * COUNT);

/** A port of the loopback address that nothing listens on. No two calls give the same one. */
export function freePort(): number {
  for (;;) {
    const port = FIRST + next++ % COUNT;
    try {
      Deno.listen({ hostname: "127.0.0.1", port }).close();
      return port;
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    }
  }
}
