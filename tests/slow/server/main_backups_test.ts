/** A backup that the service makes under the permissions of its task, and its check by the CLI. */
import assert from "node:assert/strict";
import { readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { generateIdentity, identityToRecipient } from "age-encryption";
import { makeTestFolder, startService } from "../../support/process.ts";
import { form } from "../../support/service.ts";
import { printed, runCli } from "../../cli/support/cli.ts";

Deno.test("main() makes an encrypted backup after its start, and 'backup verify' accepts this backup", async () => {
  await using made = await makeTestFolder("waitlist backups ");
  const folder = made.path;
  const identity = await generateIdentity();
  const key = join(folder, "key.txt");
  await writeFile(key, identity);
  await using service = await startService({
    BACKUP_URL: join(folder, "made by the start"),
    BACKUP_RECIPIENT: await identityToRecipient(identity),
  });
  const signUp = form({ email: "ada@example.com", consent: "true" });
  const answer = await service.request("/api/v1/waitlist", signUp);
  assert.equal(answer.status, 303);
  await answer.body?.cancel();
  const found = await service.logged(/"event":"backup (made|failed)/);
  assert.equal(found, `"event":"backup made`);

  const place = join(folder, "made by the start");
  assert.equal((await stat(place)).mode & 0o777, 0o700);
  const names = await readdir(place);
  assert.match(names.join(), /^waitlist-\d{8}T\d{6}Z\.ndjson\.gz\.age$/);
  const stdout = await printed(runCli(["backup", "verify", place, "--identity", key]));
  assert.match(stdout, /1 sign-up,.+\nIts counters agree with its 1 sign-up: 1 waiting\.\n$/);
});
