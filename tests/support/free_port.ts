/** Below the ports that Linux gives to outgoing connections, one of which could take a free port before it is used. */
const FIRST = 20_000, COUNT = 10_000;

/** A port of the loopback address that nothing listens on. */
export function freePort(): number {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    try {
      Deno.listen({ hostname: "127.0.0.1", port }).close();
      return port;
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    }
  }
}
