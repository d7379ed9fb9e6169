import assert from "node:assert/strict";
import { join } from "node:path";
import { writeContent } from "../../support/brand.ts";
import { makeTestFolder, PROJECT } from "../../support/process.ts";

// Decisions, "Configuration": its variables, `content/`, `CONTENT_PATH`, the folder of `KV_PATH`; nothing else.
Deno.test("main() may neither leave its folders nor start a process when its task starts it", async () => {
  await using folder = await makeTestFolder();
  await using own = await writeContent({ "brand.yaml": "name: Acme\n" });
  const { tasks } = JSON.parse(await Deno.readTextFile(join(PROJECT, "deno.json")));
  const main = '"$PROJECT/server/main.ts"';
  assert.ok(tasks.start.endsWith(main));
  const probe = tasks.start.replace(
    main,
    '"$PROJECT/tests/support/permission_probe.ts" "$PROJECT"',
  );
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "--eval", probe],
    cwd: PROJECT,
    env: {
      KV_PATH: join(folder.path, "kv folder", "kv.sqlite3"),
      CONTENT_PATH: own.path,
      NO_COLOR: "1",
    },
    stdin: "null",
  }).output();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  assert.deepEqual(JSON.parse(new TextDecoder().decode(stdout)), [
    "read content/",
    "read CONTENT_PATH",
    "write the KV folder",
    "read the KV folder",
    "read its variables",
  ]);
});
