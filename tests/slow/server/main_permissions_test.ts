import assert from "node:assert/strict";
import { join } from "node:path";
import { writeContent } from "../../support/brand.ts";
import { makeTestFolder, PROJECT, runInPlaceOfService } from "../../support/process.ts";

// It may use its variables, `content/`, `CONTENT_PATH` and the folder of `KV_PATH`; nothing else.
Deno.test("main() may neither leave its folders nor start a process when its task starts it", async () => {
  await using folder = await makeTestFolder();
  await using own = await writeContent({ "brand.yaml": "name: Acme\n" });
  const { code, stdout, stderr } = await runInPlaceOfService(
    { KV_PATH: join(folder.path, "kv folder", "kv.sqlite3"), CONTENT_PATH: own.path },
    ["tests/support/permission_probe.ts", PROJECT],
  );
  assert.equal(code, 0, stderr);
  assert.deepEqual(JSON.parse(stdout), [
    "read content/",
    "read CONTENT_PATH",
    "write the KV folder",
    "read the KV folder",
    "read its variables",
  ]);
});
