import { join } from "node:path";
import { LOCAL_ENGINE, type OpenKv, openKv } from "../../../../server/store/open.ts";
import { DENOKV, Denokv, DENOKV_ACCESS_TOKEN } from "../../../support/denokv.ts";

/** An empty store; what it runs on ends with it. */
export type TestStore = OpenKv & AsyncDisposable;

/** An engine that the store runs on. */
export interface TestEngine {
  name: string;
  /** Whether it is missing on this machine. */
  ignore: boolean;
  open: () => Promise<TestStore>;
}

/** Every engine that can be had without an account. */
export const ENGINES: TestEngine[] = [
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
    ignore: DENOKV === undefined,
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
