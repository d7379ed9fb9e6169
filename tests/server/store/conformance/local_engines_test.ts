import { AUDIT_SUITE } from "./audit_suite.ts";
import { ENGINE_SUITE } from "./engine_suite.ts";
import { LOCAL_ENGINES, testOnEngines } from "./engines.ts";
import { LIST_SUITE } from "./list_suite.ts";
import { STORE_SUITE } from "./store_suite.ts";

testOnEngines(LOCAL_ENGINES, { ...ENGINE_SUITE, ...STORE_SUITE, ...LIST_SUITE, ...AUDIT_SUITE });
