/** The promises of the store on a KV Connect server, each with a `denokv` process of its own. */
import { AUDIT_SUITE } from "../../../../server/store/conformance/audit_suite.ts";
import { type TestEngine, testOnEngines } from "../../../../server/store/conformance/engines.ts";
import { LIST_SUITE } from "../../../../server/store/conformance/list_suite.ts";
import { STORE_SUITE } from "../../../../server/store/conformance/store_suite.ts";
import { DENOKV, startDenokv } from "../../../../support/denokv.ts";

const DENOKV_ENGINE: TestEngine = {
  name: "denokv",
  ignore: DENOKV === undefined,
  async open() {
    const server = await startDenokv();
    const store = await server.open();
    return {
      ...store,
      async [Symbol.asyncDispose]() {
        store[Symbol.dispose]();
        await server[Symbol.asyncDispose]();
      },
    };
  },
};

testOnEngines([DENOKV_ENGINE], { ...STORE_SUITE, ...LIST_SUITE, ...AUDIT_SUITE });
