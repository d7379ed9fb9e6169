import assert from "node:assert/strict";
import { stagesOf } from "./trial.ts";

Deno.test("stagesOf() puts the tests of the mutant's file first, then the other tests of the mutant's folder, then the tests of other folders", () => {
  const files = [
    "tests/server/app_test.ts",
    "tests/cli/program_test.ts",
    "tests/server/limits/mod_test.ts",
    "tests/server/limits/limiter_test.ts",
    "tests/server/http/read_body_test.ts",
  ];
  const tests = files.map((file) => ({ file, title: `of ${file}`, milliseconds: 1 }));
  const reach = { tests, byMutant: { it: [0, 1, 2], unreached: [] } };
  const ofFile = { path: "server/limits/limiter.ts", room: "limits", reach };
  const stages = (id: string) =>
    stagesOf({ ...ofFile, id }).map((stage) => stage.map(({ file }) => file));
  assert.deepEqual(stages("it"), [
    ["tests/server/limits/limiter_test.ts"],
    ["tests/server/limits/mod_test.ts"],
    ["tests/server/app_test.ts"],
    ["tests/cli/program_test.ts"],
  ]);
  assert.deepEqual(stages("unreached"), [["tests/server/limits/limiter_test.ts"]]);
});
