import assert from "node:assert/strict";
import { join } from "node:path";
import type { SendOutcome } from "../../../../server/letters/letter.ts";
import { makeTestFolder, runInPlaceOfService } from "../../../support/process.ts";
import { startSmtpServer } from "../../../support/smtp_server.ts";

// In a terminal, Deno would ask its user about every other permission.
Deno.test("createSmtpTransport() and createMailFolder() need only the permissions of the start task", async () => {
  await using server = await startSmtpServer();
  await using folder = await makeTestFolder();
  const audit = join(folder.path, "audit.jsonl");
  const { code, stdout, stderr } = await runInPlaceOfService(
    { KV_PATH: join(folder.path, "kv", "kv.sqlite3"), DENO_AUDIT_PERMISSIONS: audit },
    ["tests/support/send_letter.ts", String(server.port)],
  );
  assert.equal(code, 0, stderr);
  const outcomes: SendOutcome[] = JSON.parse(stdout);
  assert.deepEqual(outcomes.map(({ kind }) => kind), ["taken", "taken"]);
  const asked = (await Deno.readTextFile(audit)).trim().split("\n")
    .map((line): string => JSON.parse(line).permission);
  assert.deepEqual(new Set(asked), new Set(["net", "read", "write"]));
});
