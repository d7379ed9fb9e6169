import assert from "node:assert/strict";
import { join } from "node:path";
import { makeTestFolder, PROJECT } from "../../../support/process.ts";
import { startSmtpServer } from "../../../support/smtp_server.ts";

// In a terminal, Deno would ask its user about every other permission.
Deno.test("createSmtpTransport() and createMailFolder() ask for the start task's permissions alone", async () => {
  await using server = await startSmtpServer();
  await using folder = await makeTestFolder();
  const { tasks } = JSON.parse(await Deno.readTextFile(join(PROJECT, "deno.json")));
  const audit = join(folder.path, "audit.jsonl");
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "task",
      "--quiet",
      "--eval",
      tasks.start.replace(
        '"$PROJECT/server/main.ts"',
        `"$PROJECT/tests/support/send_letter.ts" ${server.port}`,
      ).replace("deno run --v8", `DENO_AUDIT_PERMISSIONS="${audit}" deno run --v8`),
    ],
    cwd: PROJECT,
    env: { KV_PATH: join(folder.path, "kv", "kv.sqlite3"), NO_COLOR: "1" },
    stdin: "null",
  }).output();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  assert.deepEqual(JSON.parse(new TextDecoder().decode(stdout)), [{ kind: "sent" }, {
    kind: "sent",
  }]);
  const asked = (await Deno.readTextFile(audit)).trim().split("\n")
    .map((line): string => JSON.parse(line).permission);
  assert.deepEqual(new Set(asked), new Set(["net", "read", "write"]));
});
