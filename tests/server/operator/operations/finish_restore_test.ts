import assert from "node:assert/strict";
import { backup, begin, endOf, fill, finish, type Lines, send } from "../../../support/backups.ts";
import {
  assertOperatorError,
  type OperatedService,
  startOperatedService,
} from "../../../support/operator.ts";

/** Begins to restore the backup of another store, and gives its lines. */
async function beginAny(service: OperatedService): Promise<Lines> {
  await using old = await startOperatedService();
  await fill(old);
  const lines = await backup(old);
  await begin(service, lines);
  return lines;
}

Deno.test("finishRestore keeps the store for the backup where the counters are wrong", async () => {
  await using service = await startOperatedService();
  const lines = await beginAny(service);
  await send(service, lines);
  await service.kv.atomic().sum(["statistics", "total"], 1n).commit();
  assert.equal((await finish(service, lines))?.agrees, false);
  await service.operate("/counters/repair", {});
  assert.equal((await finish(service, lines))?.agrees, true);
  assert.equal((await service.operate("/backup", {})).status, 200);
});

// The last line of the first answer may be lost, and the call is then sent again.
Deno.test("finishRestore recounts once more when the restore has been finished", async () => {
  await using service = await startOperatedService();
  const lines = await beginAny(service);
  await send(service, lines);
  const first = await finish(service, lines);
  assert.equal(first?.agrees, true);
  assert.deepEqual(await finish(service, lines), first);
});

Deno.test("finishRestore refuses when the restore of another backup is under way", async () => {
  await using service = await startOperatedService();
  const lines = await beginAny(service);
  await send(service, lines.slice(0, 2), endOf(lines).sha256);
  const other = await service.operate(`/restores/${"0".repeat(64)}/finish`, {});
  assert.match(await assertOperatorError(other, 409, "other_restore"), /a part of another backup/);
  assert.equal((await service.operate("/backup", {})).status, 409, "it is still under way");
});
