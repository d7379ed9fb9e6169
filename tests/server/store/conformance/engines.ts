import { join } from "node:path";
import { skipAbsentKeys } from "../../../../server/store/kv/absent_keys.ts";
import { ERASURE_MARKS, LETTER_LIMITS, SIGN_UPS } from "../../../../server/store/kv/keys.ts";
import type { OpenKv } from "../../../../server/store/kv/engine.ts";
import { openSqlite } from "../../../../server/store/kv/open.ts";
import { faultyKv } from "../../../support/faulty_kv.ts";
import { type TestKv, testKv } from "../../../support/memory_kv.ts";
import { random } from "../../../support/records.ts";

/** An empty store. Its engine ends with it. */
export interface TestStore extends OpenKv, AsyncDisposable {
  /** Makes the engine lose the answer to its next commit, which goes through or does not. */
  loseAnswer: (outcome: "done" | "not done") => void;
}

/** An engine that the store runs on. */
export interface TestEngine {
  name: string;
  /** Whether the engine is missing on this machine. */
  ignore?: boolean;
  open: () => Promise<TestStore>;
}

/** The engines that need no process of their own. */
export const LOCAL_ENGINES: TestEngine[] = [
  {
    name: "Deno KV in memory",
    async open() {
      const kv = testKv(await openSqlite(":memory:"));
      return { ...unsure(kv), [Symbol.asyncDispose]: () => Promise.resolve(kv.close()) };
    },
  },
  {
    name: "Deno KV in a file",
    async open() {
      const folder = await Deno.makeTempDir();
      const kv = testKv(await openSqlite(join(folder, "kv.sqlite3")));
      const store = unsure(kv);
      return {
        ...store,
        // The service opens an engine like this, and the keys of the random operations need it.
        kv: skipAbsentKeys(store.kv, random, [SIGN_UPS, LETTER_LIMITS, ERASURE_MARKS, {
          prefix: ["r"],
        }]),
        async [Symbol.asyncDispose]() {
          kv.close();
          await Deno.remove(folder, { recursive: true });
        },
      };
    },
  },
];

/** A store of Deno's engine that loses an answer when the test says so. */
export function unsure(kv: TestKv): Pick<TestStore, "kv" | "loseAnswer"> {
  let lost: "done" | "not done" | undefined;
  return {
    kv: faultyKv(kv, async (commit) => {
      const outcome = lost;
      lost = undefined;
      if (outcome === "not done") throw new Error("The commit was not made");
      const result = await commit();
      if (outcome) throw new Error("The answer was lost");
      return result;
    }),
    loseAnswer(outcome) {
      lost = outcome;
    },
  };
}

/** A promise of the store, which holds on an empty store. `open` opens another empty store on the same engine. */
export type PromiseTest = (store: TestStore, open: TestEngine["open"]) => Promise<void>;

/** Promises by the names of their tests. */
export type Suite = Record<string, PromiseTest>;

/** Registers a test of each promise on each engine. */
export function testOnEngines(engines: TestEngine[], suite: Suite): void {
  for (const { name, ignore = false, open } of engines) {
    for (const [promise, test] of Object.entries(suite)) {
      Deno.test({
        name: `${promise} (${name})`,
        ignore,
        async fn() {
          await using store = await open();
          await test(store, open);
        },
      });
    }
  }
}
