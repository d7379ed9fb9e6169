/** The OpenAPI document, as it is served, passes a linter. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { makeTestFolder, outputOf, PROJECT } from "../../support/process.ts";
import { startTestService } from "../../support/service.ts";

// Clauses: contract "Versioning" document.
Deno.test("@redocly/cli with the recommended rules finds no fault in openapi.json", async () => {
  await using service = await startTestService();
  await using folder = await makeTestFolder("waitlist_document_");
  const file = join(folder.path, "openapi.json");
  await Deno.writeTextFile(file, await (await service.request("/openapi.json")).text());
  // The version is that of tests/deno.lock. Nothing of a check may leave this machine.
  const deno = ["deno", "run", "--config=tests/deno.json", "--deny-net", "--allow-read"];
  const permissions = ["--allow-env", "--allow-sys"];
  const lint = ["@redocly/cli", "lint", file, "--extends=recommended", "--format=json"];
  const env = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const output = await outputOf([...deno, ...permissions, ...lint], { cwd: PROJECT, env });
  const { totals, problems } = JSON.parse(output);
  assert.deepEqual(problems, []);
  assert.deepEqual(totals, { errors: 0, warnings: 0, ignored: 0 });
});
