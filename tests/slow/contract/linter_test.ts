/** The OpenAPI document, as it is served, passes a linter. */
import assert from "node:assert/strict";
import { startTestService } from "../../support/service.ts";

// Clauses: contract "Versioning" document.
Deno.test("openapi.json has no finding when @redocly/cli lints it with the recommended rules", async () => {
  await using service = await startTestService();
  const file = await Deno.makeTempFile({ suffix: ".json" });
  try {
    await Deno.writeTextFile(file, await (await service.request("/openapi.json")).text());
    const { code, stdout, stderr } = await new Deno.Command("deno", {
      // The version is that of tests/deno.lock. Nothing of a check may leave this machine.
      args: [
        "run",
        "--config=tests/deno.json",
        "--deny-net",
        "--allow-read",
        "--allow-env",
        "--allow-sys",
      ]
        .concat("@redocly/cli", "lint", file, "--extends=recommended", "--format=json"),
      cwd: new URL("../../../", import.meta.url),
      env: { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
    }).output();
    const output = new TextDecoder().decode(stdout);
    assert.equal(code, 0, output + new TextDecoder().decode(stderr));
    const { totals, problems } = JSON.parse(output);
    assert.deepEqual(problems, []);
    assert.deepEqual(totals, { errors: 0, warnings: 0, ignored: 0 });
  } finally {
    await Deno.remove(file);
  }
});
