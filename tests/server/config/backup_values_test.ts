import assert from "node:assert/strict";
import { refuse } from "../../support/config.ts";

Deno.test("readConfig() refuses a malformed BACKUP_RECIPIENT without quoting a secret key, and refuses BACKUP_RECIPIENT without BACKUP_URL", () => {
  const url = { BACKUP_URL: "/var/backups" };
  const recipient = `age1${"q".repeat(58)}`;
  const [unused = ""] = refuse({ BACKUP_RECIPIENT: recipient });
  assert.match(
    unused,
    /^BACKUP_URL is required with BACKUP_RECIPIENT, as no backup is made without it\./,
  );
  const [wrong = ""] = refuse({ ...url, BACKUP_RECIPIENT: `${recipient} ada` });
  assert.match(wrong, /^BACKUP_RECIPIENT has 'ada', which is not a public key of age; it begins/);
  const [secret = ""] = refuse({ ...url, BACKUP_RECIPIENT: "AGE-SECRET-KEY-1HUNTER2" });
  assert.match(secret, /^BACKUP_RECIPIENT has a secret key, which is not/);
  assert.doesNotMatch(secret, /HUNTER2/);
  const onDeploy = refuse({ ...url, DENO_DEPLOY: "1", BASE_URL: "https://a.example" });
  assert.match(
    onDeploy.join("\n"),
    /^BACKUP_URL is a folder, and there is no disk on Deno Deploy\./,
  );
});

Deno.test("readConfig() requires an access key and BACKUP_RECIPIENT when BACKUP_URL is a bucket", () => {
  const faults = refuse({ BACKUP_URL: "s3://bucket/lists" });
  assert.deepEqual(faults.map((fault) => fault.split(". Example")[0]), [
    "AWS_ACCESS_KEY_ID is required with a bucket in BACKUP_URL",
    "AWS_SECRET_ACCESS_KEY is required with a bucket in BACKUP_URL",
    "BACKUP_RECIPIENT is required with a bucket, which others run: no address leaves unencrypted",
  ]);
});
