import assert from "node:assert/strict";
import { createLog, LOG_LEVELS } from "../../../server/runtime/mod.ts";
import { START } from "../../support/service.ts";

Deno.test("createLog() writes one JSON object a line when it is called", () => {
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

Deno.test("createLog() drops what is below its level when it is called", () => {
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
