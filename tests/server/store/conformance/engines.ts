import { join } from "node:path";
import { LOCAL_ENGINE, type OpenKv, openKv } from "../../../../server/store/kv/open.ts";

/** An empty store; what it runs on ends with it. */
export type TestStore = OpenKv & AsyncDisposable;

/** An engine that the store runs on. */
export interface TestEngine {
  name: string;
  /** Whether it is missing on this machine. */
  ignore?: boolean;
  open: () => Promise<TestStore>;
}

/** The engines that need no process of their own. */
export const LOCAL_ENGINES: TestEngine[] = [
  {
    name: ":memory:",
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
];

/** A promise of the store, kept on an empty one; `open` opens another empty one on the same engine. */
export type PromiseTest = (store: TestStore, open: TestEngine["open"]) => Promise<void>;

/** Promises by the names of their tests. */
export type Suite = Record<string, PromiseTest>;

/** Registers a test of each promise on each engine. */
export function testOnEngines(engines: TestEngine[], suite: Suite): void {
  for (const { name, ignore = false, open } of engines) {
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
