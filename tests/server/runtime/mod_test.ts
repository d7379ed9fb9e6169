import assert from "node:assert/strict";
import { base64url } from "jose";
import {
  createLog,
  createRandomIds,
  LOG_LEVELS,
  repeatByTimer,
} from "../../../server/runtime/mod.ts";
import { START } from "../../support/service.ts";

Deno.test("repeatByTimer() repeats its work until close() is called", async () => {
  const third = Promise.withResolvers<void>();
  let times = 0;
  const repeating = repeatByTimer(1, () => {
    if (++times === 3) third.resolve();
    return Promise.resolve();
  });
  await third.promise;
  // A timer that went on would be a leak, which Deno.test finds.
  await repeating.close();
});

Deno.test("close() of repeatByTimer() waits for the work that is under way", async () => {
  const begun = Promise.withResolvers<void>();
  const work = Promise.withResolvers<void>();
  const order: string[] = [];
  const repeating = repeatByTimer(1, () => {
    begun.resolve();
    return work.promise.then(() => void order.push("worked"));
  });
  await begun.promise;
  const stopped = repeating.close().then(() => order.push("stopped"));
  work.resolve();
  await stopped;
  assert.deepEqual(order, ["worked", "stopped"]);
});

Deno.test("createRandomIds() draws random bytes for 1,024 ids at a time, and uses every random bit once", async (t) => {
  for (const length of [6, 22]) {
    await t.step(`the ids have ${length} characters`, () => {
      const drawn: number[] = [];
      let draws = 0;
      const nextId = createRandomIds({
        length,
        random(bytes) {
          draws++;
          const draw = crypto.getRandomValues(new Uint8Array(bytes));
          drawn.push(...draw);
          return draw;
        },
      });
      const ids = Array.from({ length: 3 * 1_024 }, nextId);
      assert.equal(draws, 3, "of 1,024 ids each");
      for (const id of ids) assert.match(id, new RegExp(`^[A-Za-z0-9_-]{${length}}$`));
      assert.deepEqual([...base64url.decode(ids.join(""))], drawn);
    });
  }
});

Deno.test("createLog() writes each log message as one line of JSON", () => {
  const lines: string[] = [];
  const log = createLog({ level: "info", now: () => START, write: (line) => lines.push(line) });
  log.info("started", { baseUrl: 'https://a.test/"\n', port: 8000, statuses: { 200: 3 } });
  log.error("stopped");
  assert.deepEqual(lines, [
    '{"time":"2026-11-21T12:00:20.000Z","level":"info","event":"started",' +
    '"baseUrl":"https://a.test/\\"\\n","port":8000,"statuses":{"200":3}}',
    '{"time":"2026-11-21T12:00:20.000Z","level":"error","event":"stopped"}',
  ]);
});

Deno.test("createLog() writes no log message below the level of the log", () => {
  const written: Record<string, string[]> = {};
  for (const level of LOG_LEVELS) {
    const events: string[] = [];
    const write = (line: string) => events.push(JSON.parse(line).level);
    const log = createLog({ level, now: () => START, write });
    for (const each of LOG_LEVELS) log[each]("event");
    written[level] = events;
  }
  assert.deepEqual(written, {
    debug: ["debug", "info", "warn", "error"],
    info: ["info", "warn", "error"],
    warn: ["warn", "error"],
    error: ["error"],
  });
});
