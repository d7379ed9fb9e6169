import { loadTests } from "../support/load_tests.ts";

await loadTests(import.meta.url);
