import assert from "node:assert/strict";
import { mediaType } from "../../../server/http/form.ts";

// Decisions, "Sign-up": compared without its parameters, case-insensitively.
Deno.test("mediaType() drops parameters, spaces and case when it reads a Content-Type", () => {
  const cases: [contentType: string | null, expected: string][] = [
    [null, ""],
    ["", ""],
    ["application/json", "application/json"],
    ["Application/JSON", "application/json"],
    ["application/json; charset=utf-8", "application/json"],
    ["application/json;charset=utf-8;x=y", "application/json"],
    [" application/json ; charset=utf-8", "application/json"],
    ["\tapplication/json\t", "application/json"],
    ["application/json;", "application/json"],
    [";application/json", ""],
    ["APPLICATION/X-WWW-FORM-URLENCODED; Charset=UTF-8", "application/x-www-form-urlencoded"],
    // Two values are no media type, whichever comes first.
    ["application/json, text/plain", "application/json, text/plain"],
    ["application/json+x", "application/json+x"],
  ];
  for (const [contentType, expected] of cases) {
    assert.equal(mediaType(contentType), expected, String(contentType));
  }
});
