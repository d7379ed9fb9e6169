import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { endOf, fill, type Lines, NOW } from "../../../support/backups.ts";
import { startOperatedService } from "../../../support/operator.ts";

Deno.test("backUp streams all kinds of lines, and a checksum of them as the last", async () => {
  await using service = await startOperatedService();
  await fill(service);
  const response = await service.operate("/backup", {});
  assert.equal(response.status, 200);
  const text = await response.text();
  const lines: Lines = text.trimEnd().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(lines.map(({ kind }) => kind), [
    "header",
    ...Array(3).fill("sign_up"),
    "client",
    "erased",
    "erasure_key",
    // The erasure, and this backup.
    ...Array(2).fill("audit"),
    "place_key",
    ...Array(8).fill("counter"),
    "end",
  ]);
  assert.deepEqual(lines[0], {
    kind: "header",
    format: "waitlist-backup",
    version: 2,
    createdAt: NOW,
  });
  const before = text.slice(0, text.lastIndexOf("\n", text.length - 2) + 1);
  assert.deepEqual(endOf(lines), {
    kind: "end",
    counts: { signUps: 3, clients: 1, erasures: 1, auditEntries: 2 },
    sha256: createHash("sha256").update(before).digest("hex"),
  });
  assert.ok(!text.includes("root_key") && !text.includes("gone@example.com"));
});
