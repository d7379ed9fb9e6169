import assert from "node:assert/strict";
import fc from "fast-check";
import { type Form, parseForm } from "../../../server/http/form.ts";
import { mediaType } from "../../../server/http/request.ts";
import { unicodeText } from "../../support/unicode_text.ts";

Deno.test("parseForm() decodes the names and values of a form-encoded text", () => {
  const form = parseForm("email=ada%2Bnews%40example.com&f%C3%BCr=a+b&empty=&bare&=unnamed");
  assert.deepEqual([...form.values], [
    ["email", "ada+news@example.com"],
    ["für", "a b"],
    ["empty", ""],
    ["bare", ""],
    ["", "unnamed"],
  ]);
  assert.deepEqual(form.repeated, []);
  assert.deepEqual([...parseForm("?a=1&?=2").values], [["?a", "1"], ["?", "2"]]);
});

// Clauses: RFC 6749 §3.2 repeated.
Deno.test("parseForm() reports repeated names, and returns the first value of each name", () => {
  const form = parseForm("a=1&b=2&b=3&a=4");
  assert.deepEqual([...form.values], [["a", "1"], ["b", "2"]]);
  assert.deepEqual(form.repeated, ["b", "a"]);
  assert.deepEqual(parseForm("lang=de&lan%67=de").repeated, ["lang"], "names are compared decoded");
  assert.deepEqual(parseForm("lang=de&Lang=de").repeated, [], "names have a case");
});

Deno.test("parseForm() treats field names such as 'constructor' and '__proto__' like other names", () => {
  const form = parseForm("__proto__=1&constructor=2&toString=3");
  assert.deepEqual([...form.values], [["__proto__", "1"], ["constructor", "2"], ["toString", "3"]]);
  assert.deepEqual(form.repeated, []);
});

Deno.test("parseForm() returns the same names and values as URLSearchParams for any text", () => {
  const pieces = ["&", "=", "a", "+", "%", "%4", "%41", "%zz", "%ff", "%e2%82%ac", "%E2%82", "?"];
  const any = fc.oneof(fc.constantFrom(...pieces), unicodeText({ maxLength: 3 }));
  const text = fc.array(any).map((some) => some.join(""));
  fc.assert(
    fc.property(text, (form) => {
      const expected: Form = { values: new Map(), repeated: [] };
      // Its constructor drops a leading `?`, which in a form is part of the first name.
      for (const [name, value] of new URLSearchParams(`&${form}`)) {
        if (expected.values.has(name)) expected.repeated.push(name);
        else expected.values.set(name, value);
      }
      assert.deepEqual(parseForm(form), expected);
    }),
    { numRuns: 1_000 },
  );
});

// Clauses: RFC 9110 §8.3.
Deno.test("mediaType() returns the media type of a Content-Type in lower case, without parameters and spaces", async (t) => {
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
    await t.step(String(contentType), () => {
      assert.equal(mediaType(contentType), expected);
    });
  }
});
