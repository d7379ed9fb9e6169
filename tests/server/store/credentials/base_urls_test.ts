import assert from "node:assert/strict";
import { watchBaseUrls } from "../../../../server/store/credentials/base_urls.ts";
import { listAll, openMemoryKv } from "../../../support/memory_kv.ts";
import { recordLog } from "../../../support/log.ts";
import { random } from "../../../support/records.ts";
import type { Kv } from "../../../../server/store/kv/engine.ts";

const MINUTE = 60_000;

/** The watch of a process, whose checks the test makes. */
async function start(kv: Kv, baseUrl: string) {
  const clock = { now: 0 };
  const { log, lines } = recordLog("info", () => clock.now);
  let look = () => Promise.resolve();
  const watch = await watchBaseUrls({
    baseUrl,
    kv,
    runtime: {
      random,
      monotonic: () => clock.now,
      log,
      repeat(_ms, work) {
        look = work;
        return { close: () => Promise.resolve() };
      },
    },
  });
  return {
    ...watch,
    lines,
    async look() {
      clock.now += MINUTE;
      await look();
    },
  };
}

const ONE = "https://one.example", OTHER = "https://other.example";

Deno.test("watchBaseUrls() gives a warning in each process when another process has a different BASE_URL, and logs the warning once an hour", async (t) => {
  const kv = await openMemoryKv();
  const processes = [await start(kv, ONE), await start(kv, OTHER), await start(kv, ONE)];
  for (let minute = 0; minute < 90; minute++) for (const each of processes) await each.look();
  for (const [n, other] of [OTHER, ONE, OTHER].entries()) {
    await t.step(`process ${n + 1} is warned of ${other}`, () => {
      const { lines, warning } = processes[n]!;
      assert.match(warning()!, new RegExp(`have the BASE_URL ${other}, and this process has `));
      assert.equal(lines.length, 2);
      assert.equal(lines[0]!.event, "processes of one store have different BASE_URLs");
      assert.match(
        String(lines[0]!.error),
        /refuses a token that a process with another BASE_URL has issued/,
      );
    });
  }
  await processes[1]!.close();
  await processes[0]!.look();
  assert.equal(processes[0]!.warning(), undefined);
  kv.close();
});

Deno.test("watchBaseUrls() gives no warning when a killed process starts again with another BASE_URL", async () => {
  const kv = await openMemoryKv();
  await (await start(kv, ONE)).look();
  const next = await start(kv, OTHER);
  for (let minute = 0; minute < 10; minute++) {
    await next.look();
    assert.equal(next.warning(), undefined);
  }
  assert.deepEqual(next.lines, []);
  const left = await listAll<string>(kv, { prefix: ["base_url"] });
  assert.deepEqual(left.map(({ value }) => value), [OTHER], "that of the dead process is removed");
  kv.close();
});
