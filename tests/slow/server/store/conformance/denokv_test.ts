/** The promises of the store on a KV Connect server, each with a `denokv` process of its own. */
import { AUDIT_SUITE } from "../../../../server/store/conformance/audit_suite.ts";
import { ENGINE_SUITE } from "../../../../server/store/conformance/engine_suite.ts";
import {
  type TestEngine,
  testOnEngines,
  unsure,
} from "../../../../server/store/conformance/engines.ts";
import { LIST_SUITE } from "../../../../server/store/conformance/list_suite.ts";
import { STORE_SUITE } from "../../../../server/store/conformance/store_suite.ts";
import { DENOKV, startDenokv } from "../../../../support/denokv.ts";
import { KV_ACCESS_TOKEN } from "../../../../support/kv_connect.ts";
import { testKv } from "../../../../support/memory_kv.ts";
import { connectKv } from "../../../../../server/store/kv/kv_connect.ts";

const DENOKV_ENGINE: TestEngine = {
  name: "denokv",
  ignore: DENOKV === undefined,
  async open() {
    const server = await startDenokv();
    const store = await server.open();
    const location = { url: server.url, accessToken: KV_ACCESS_TOKEN };
    const kv = testKv(await connectKv(location), { traits: store.kv.traits });
    return {
      ...unsure(kv),
      async [Symbol.asyncDispose]() {
        kv.close();
        store[Symbol.dispose]();
        await server[Symbol.asyncDispose]();
      },
    };
  },
};

testOnEngines([DENOKV_ENGINE], { ...ENGINE_SUITE, ...STORE_SUITE, ...LIST_SUITE, ...AUDIT_SUITE });
