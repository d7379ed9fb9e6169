/** The promises of the store on PostgreSQL, each on a database of its own. */
import { AUDIT_SUITE } from "../../../../server/store/conformance/audit_suite.ts";
import { ENGINE_SUITE } from "../../../../server/store/conformance/engine_suite.ts";
import { type TestEngine, testOnEngines } from "../../../../server/store/conformance/engines.ts";
import { LIST_SUITE } from "../../../../server/store/conformance/list_suite.ts";
import { STORE_SUITE } from "../../../../server/store/conformance/store_suite.ts";
import { Commit } from "../../../../../server/store/kv/engine.ts";
import { openUrl, POSTGRES, type Postgres, startPostgres } from "../../../../support/postgres.ts";
import { TcpProxy } from "../../../../support/tcp_proxy.ts";

let server: Postgres;
if (POSTGRES) {
  Deno.test.beforeAll(async () =>
    void (server = await startPostgres({ settings: ["fsync = off"] }))
  );
  Deno.test.afterAll(() => server[Symbol.asyncDispose]());
}

const POSTGRES_ENGINE: TestEngine = {
  name: "PostgreSQL",
  ignore: POSTGRES === undefined,
  async open() {
    const name = await server.createDatabase();
    const proxy = new TcpProxy(`http://127.0.0.1:${server.port}`);
    const store = await openUrl(server.urlOf(name, new URL(proxy.url).host));
    // A connection, a proof and a part of counters are there before an answer is lost.
    await store.kv.commit(new Commit().delete(["none"]));
    let lost: "done" | "not done" | undefined;
    return {
      kv: {
        ...store.kv,
        commit(commit) {
          // The next bytes are those of the commit.
          if (lost) proxy.cutNext(lost === "done" ? "answer" : "question");
          lost = undefined;
          return store.kv.commit(commit);
        },
      },
      loseAnswer: (outcome) => void (lost = outcome),
      [Symbol.asyncDispose]() {
        store[Symbol.dispose]();
        proxy[Symbol.dispose]();
        return Promise.resolve();
      },
    };
  },
};

testOnEngines([POSTGRES_ENGINE], {
  ...ENGINE_SUITE,
  ...STORE_SUITE,
  ...LIST_SUITE,
  ...AUDIT_SUITE,
});
