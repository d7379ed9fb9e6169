/** A TCP proxy on the loopback address, whose connections a test makes slow, silent or dead. @module */
import { setTimeout as delay } from "node:timers/promises";

/** What a proxy does with the bytes of a connection. */
type ProxyMode =
  | "pass"
  /** Passes each piece on a tenth of a second later. */
  | "slow"
  /** Takes all bytes, and passes none on. */
  | "silent"
  /** Passes on what the client sends, and none of the answers. */
  | "loses_answers"
  /** Passes each piece of an answer on long after its call was given up. */
  | "late"
  /** Ends what goes to the server, and leaves the client's side open and silent. */
  | "half_closed";

const SLOW_MS = 100, LATE_MS = 6_000;

/** A connection of a client, and the one to the server. */
interface Link {
  mode: ProxyMode;
  ends: Deno.TcpConn[];
}

/** A proxy to a port of the loopback address. */
export class TcpProxy implements Disposable {
  readonly #listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  readonly #links = new Set<Link>();
  readonly #target: number;
  #mode: ProxyMode = "pass";
  #cutting: "question" | "answer" | undefined;

  /** @param url that of the server; its path is not looked at */
  constructor(url: string) {
    this.#target = Number(new URL(url).port);
    this.#accept();
  }

  get url(): string {
    return `http://127.0.0.1:${this.#listener.addr.port}`;
  }

  /** Treats all connections in another way. */
  setMode(mode: ProxyMode): void {
    this.#mode = mode;
    for (const link of this.#links) {
      link.mode = mode;
      if (mode === "half_closed") link.ends[1]?.closeWrite().catch(() => {});
    }
  }

  /** Passes the bytes of new connections; the present ones stay as they are. */
  passNewOnes(): void {
    this.#mode = "pass";
  }

  /** Ends the connection that the next bytes come on, without them: those of a client, or those of the server. */
  cutNext(bytes: "question" | "answer"): void {
    this.#cutting = bytes;
  }

  /** Whether bytes end their connection. */
  #cuts(bytes: "question" | "answer"): boolean {
    if (this.#cutting !== bytes) return false;
    this.#cutting = undefined;
    return true;
  }

  /** Ends the present connections. */
  cut(): void {
    for (const link of this.#links) end(link);
    this.#links.clear();
  }

  [Symbol.dispose](): void {
    this.#listener.close();
    this.cut();
  }

  async #accept(): Promise<void> {
    for await (const client of this.#listener) {
      const link: Link = { mode: this.#mode, ends: [client] };
      this.#links.add(link);
      this.#connect(link, client);
    }
  }

  async #connect(link: Link, client: Deno.TcpConn): Promise<void> {
    try {
      const server = await Deno.connect({ hostname: "127.0.0.1", port: this.#target });
      link.ends.push(server);
      await Promise.race([
        pump(client, server, link, ["silent", "half_closed"], () => this.#cuts("question")),
        pump(server, client, link, ["silent", "loses_answers"], () => this.#cuts("answer")),
      ]);
      // The server has ended its side, too, of which the client hears nothing until all are cut.
      if (link.mode === "half_closed") return;
    } catch {
      // One of the two has hung up, and so does the proxy.
    }
    end(link);
    this.#links.delete(link);
  }
}

async function pump(
  from: Deno.TcpConn,
  to: Deno.TcpConn,
  link: Link,
  swallowedIn: ProxyMode[],
  cuts: () => boolean,
): Promise<void> {
  const buffer = new Uint8Array(65_536);
  for (;;) {
    const length = await from.read(buffer);
    if (length === null || cuts()) return;
    if (swallowedIn.includes(link.mode)) continue;
    if (link.mode === "slow") await delay(SLOW_MS);
    if (link.mode === "late" && from === link.ends[1]) await delay(LATE_MS);
    for (let sent = 0; sent < length;) sent += await to.write(buffer.subarray(sent, length));
  }
}

function end({ ends }: Link): void {
  for (const connection of ends.splice(0)) {
    try {
      connection.close();
    } catch {
      // It is closed already.
    }
  }
}
