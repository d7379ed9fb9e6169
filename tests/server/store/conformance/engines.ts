import { join } from "node:path";
import { LOCAL_ENGINE, type OpenKv, openKv } from "../../../../server/store/open.ts";
import { DENOKV, Denokv, DENOKV_ACCESS_TOKEN } from "../../../support/denokv.ts";

/** An empty store; what it runs on ends with it. */
export type TestStore = OpenKv & AsyncDisposable;

/** An engine that the store runs on. */
interface TestEngine {
  name: string;
  /** Whether it is missing on this machine. */
  ignore: boolean;
  open: () => Promise<TestStore>;
}

/** Every engine that can be had without an account. */
const ENGINES: TestEngine[] = [
  {
    name: ":memory:",
    ignore: false,
    async open() {
      const kv = await Deno.openKv(":memory:");
      return {
        kv,
        engine: LOCAL_ENGINE,
        [Symbol.asyncDispose]: () => Promise.resolve(kv.close()),
      };
    },
  },
  {
    name: "a file",
    ignore: false,
    async open() {
      const folder = await Deno.makeTempDir();
      const store = await openKv({ kind: "file", path: join(folder, "kv.sqlite3") });
      return {
        ...store,
        async [Symbol.asyncDispose]() {
          store[Symbol.dispose]();
          await Deno.remove(folder, { recursive: true });
        },
      };
    },
  },
  {
    name: "denokv",
    // In Deno 2.5, which only Deno Deploy still runs, `node:v8` fails at times to read bytes.
    ignore: DENOKV === undefined || Deno.version.deno.startsWith("2.5."),
    async open() {
      const server = await Denokv.start();
      const accessToken = DENOKV_ACCESS_TOKEN;
      const store = await openKv({ kind: "connect", url: server.url, accessToken });
      return {
        ...store,
        async [Symbol.asyncDispose]() {
          store[Symbol.dispose]();
          await server[Symbol.asyncDispose]();
        },
      };
    },
  },
];

/** A promise of the store, kept on an empty one; `open` opens another empty one on the same engine. */
export type PromiseTest = (store: TestStore, open: TestEngine["open"]) => Promise<void>;

/** Registers a test of each promise on each engine. */
export function testOnEngines(suite: Record<string, PromiseTest>): void {
  for (const { name, ignore, open } of ENGINES) {
    for (const [promise, test] of Object.entries(suite)) {
      Deno.test({
        name: `${promise} on ${name}`,
        ignore,
        async fn() {
          await using store = await open();
          await test(store, open);
        },
      });
    }
  }
}
