import assert from "node:assert/strict";
import { join } from "node:path";
import { writeContent } from "../../support/brand.ts";
import { makeTestFolder, PROJECT, runInPlaceOfService } from "../../support/process.ts";

// It may use its variables, `content/`, `CONTENT_PATH`, the files of secrets, and the folders of `KV_PATH` and
// `BACKUP_URL`; nothing else.
Deno.test("The start task's permissions let main() use only its own folders and variables, and start no process", async () => {
  await using folder = await makeTestFolder();
  await using own = await writeContent({ "brand.yaml": "name: Acme\n" });
  await using secrets = await writeContent({ "current/key": `${"0123456789".repeat(4)}\n` });
  // As Kubernetes mounts secrets.
  await Deno.symlink(join(secrets.path, "current"), join(secrets.path, "data"));
  await Deno.symlink("data/key", join(secrets.path, "operator_key"));
  await using backups = await makeTestFolder("waitlist backups ");
  const { code, stdout, stderr } = await runInPlaceOfService(
    {
      KV_PATH: join(folder.path, "kv folder", "kv.sqlite3"),
      CONTENT_PATH: own.path,
      BACKUP_URL: join(backups.path, "new"),
      OPERATOR_KEY_FILE: join(secrets.path, "operator_key"),
    },
    ["tests/support/permission_probe.ts", PROJECT],
  );
  assert.equal(code, 0, stderr);
  assert.deepEqual(JSON.parse(stdout), [
    "read content/",
    "read CONTENT_PATH",
    "read OPERATOR_KEY_FILE",
    "write BACKUP_URL",
    "read BACKUP_URL",
    "write the KV folder",
    "read the KV folder",
    "read its variables",
  ]);
});

Deno.test("main() has no permission to write files when the start task starts it on PostgreSQL", async () => {
  const { code, stdout, stderr } = await runInPlaceOfService(
    { KV_URL: "postgres://ada@127.0.0.1/waitlist" },
    ["tests/support/permission_probe.ts", PROJECT],
  );
  assert.equal(code, 0, stderr);
  assert.deepEqual(JSON.parse(stdout), ["read content/", "read its variables"]);
});
