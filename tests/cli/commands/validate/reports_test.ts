import assert from "node:assert/strict";
import { toJunit } from "../../../../cli/commands/validate/reports.ts";

Deno.test("toJunit() writes well-formed XML when texts contain markup, control characters or half surrogate pairs", () => {
  const xml = toJunit({
    baseUrl: "http://localhost:8000",
    environment: "sandbox",
    startedAt: "2026-11-21T12:00:00.000Z",
    durationMs: 1234,
    calls: 1,
    failed: 1,
    checks: [
      { operation: "document", does: "is complete", faults: [] },
      {
        operation: "getStatus",
        does: "answers",
        call: { method: "GET", path: "/api/v1/status", status: 200, milliseconds: 5 },
        faults: ["a <b> & \"c\" 'd'", "\u0000\u001b\uD800\n"],
      },
    ],
  });
  assert.equal(
    xml,
    [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<testsuites name="waitlist validate" tests="2" failures="1" time="1.234">',
      '  <testsuite name="sandbox" timestamp="2026-11-21T12:00:00.000Z" ' +
      'hostname="http://localhost:8000" tests="2" failures="1" time="1.234">',
      '    <testcase classname="document" name="is complete" time="0.000"></testcase>',
      '    <testcase classname="getStatus" name="answers" time="0.005">',
      '      <failure message="a &#60;b&#62; &#38; &#34;c&#34; &#39;d&#39;; \uFFFD\uFFFD\uFFFD&#10;"></failure>',
      "    </testcase>",
      "  </testsuite>",
      "</testsuites>",
      "",
    ].join("\n"),
  );
});
