import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { openUrl, startPostgres, test as testOnPostgres } from "../../support/postgres.ts";
import { makeTestFolder, startService } from "../../support/process.ts";
import { fromNewSource, sendSignUp, statusOf } from "../../support/process_requests.ts";
import { HAS_DISKS, makeSmallDisk } from "../../support/small_disk.ts";
import { assertEachOnce, sendSignUps } from "./support/sign_up_load.ts";

const test = HAS_DISKS ? testOnPostgres : Deno.test.ignore;

const SETTINGS = ["max_wal_size = 48MB", "min_wal_size = 32MB"];

for (const what of ["data", "wal"] as const) {
  test(`A process neither loses nor doubles a sign-up when a disk of PostgreSQL is full (${what}), and continues when there is space`, async () => {
    // The server's own files and all sign-ups take more than 64 MB, and all of them have to be there in the end.
    await using disk = await makeSmallDisk(what === "data" ? 128 : 96);
    // The log is beside the data by default. PostgreSQL stops if there is no space for its log.
    await using folder = await makeTestFolder();
    await Deno.chmod(folder.path, 0o1777);
    await using postgres = await startPostgres({
      settings: SETTINGS,
      disks: { wal: folder.path, [what]: disk.path },
    });
    await using service = await startService({ ...postgres.variables, TRUSTED_PROXY_HOPS: "1" });
    const status = () => statusOf(service.request("/api/v1/status", { headers: fromNewSource() }));
    let refusals = 0;
    const { refused, acknowledged } = await sendSignUps({ servers: [service] }, async () => {
      await disk.fill();
      // What the server has set aside for its writes takes some sign-ups more.
      for (let n = 0; refusals < 3; n++) {
        const answer = sendSignUp(service, { email: `visitor${n * 10 % 9_000}@example.com` });
        if (await statusOf(answer) === 500) refusals++;
        // The server uses up what is left of its log.
        if (what === "wal") await postgres.sql("select pg_switch_wal()").catch(() => {});
      }
      assert.equal(await status(), 200);
      await delay(2_000);
      await disk.free();
      // Without space for its log, PostgreSQL stops; whoever runs it starts it again.
      if (what === "wal") {
        await postgres.kill();
        await postgres.start();
      }
    });
    assert.ok(refused > 0, "the full disk was not seen");
    assert.equal(await status(), 200);
    using store = await openUrl(postgres.variables.KV_URL);
    await assertEachOnce(store, acknowledged);
  });
}
