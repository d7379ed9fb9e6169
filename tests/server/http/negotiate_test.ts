import assert from "node:assert/strict";
import { chooseCoding, chooseLanguage, prefersHtml } from "../../../server/http/negotiate.ts";
import { prefersMarkdown } from "../../../server/http/negotiate.ts";

/** Asserts what is chosen for each value of a header. */
function assertTable<Chosen>(
  choose: (header: string | null) => Chosen,
  table: [header: string | null, expected: Chosen][],
): void {
  for (const [header, expected] of table) assert.equal(choose(header), expected, `'${header}'`);
}

Deno.test("prefersMarkdown() is true only when Accept prefers Markdown to HTML", () => {
  assertTable(prefersMarkdown, [
    [null, false],
    ["", false],
    ["*/*", false],
    ["text/*", false],
    ["text/html", false],
    ["text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8", false],
    ["application/json", false],
    ["text/markdown", true],
    ["TEXT/Markdown; charset=utf-8", true],
    ["text/markdown;q=0.001", true],
    ["text/markdown;q=0", false],
    ["text/markdown, text/html", true],
    ["text/html, text/markdown", true],
    ["text/html, text/markdown;q=0.9", false],
    ["text/html;q=0.8, text/markdown;q=0.9", true],
    ["text/markdown, */*", true],
    ["text/markdown;q=0.5, */*", false],
    ["text/markdown;q=0.5, text/*;q=0.4, */*", true],
    ["text/markdown;q=0.5, text/html;q=0, */*", true],
    ["text/markdown;q=2", false],
    ["text/markdown;q=high, text/plain", false],
    ["text/markdown;q=high, text/markdown", true],
    ["text/markdown ; q = 0.7 , text/html ; q=0.6", true],
  ]);
});

Deno.test("prefersHtml() is true only when Accept names HTML and prefers it to JSON", () => {
  assertTable(prefersHtml, [
    [null, false],
    ["", false],
    ["*/*", false],
    ["text/*", false],
    ["application/json", false],
    ["text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8", true],
    ["text/html", true],
    ["text/html, */*", true],
    ["text/html;q=0.5, */*", false],
    ["text/html;q=0.5, application/*", false],
    ["text/html, application/json", false],
    ["text/html, application/json;q=0.9, */*", true],
    ["text/html;q=0.8, application/json;q=0.9", false],
    ["text/html;q=0", false],
  ]);
});

Deno.test("chooseLanguage() chooses the best offered language by Accept-Language", () => {
  assertTable((header) => chooseLanguage(header, ["en", "de"]), [
    [null, "en"],
    ["fr", "en"],
    ["de", "de"],
    ["de-AT,de;q=0.9,en;q=0.8", "de"],
    ["en-GB,en;q=0.9,de;q=0.8", "en"],
    ["fr, en;q=0.3, de;q=0.4", "de"],
    ["de;q=0, en;q=0.1", "en"],
    ["den", "en"],
    ["de, en", "de"],
    ["de;q=0.1, en;q=0.5, de;q=0.7", "de"],
  ]);
});

Deno.test("chooseCoding() chooses the coding with the highest quality, and prefers br to gzip when the qualities are equal", () => {
  assertTable((header) => chooseCoding(header, () => true), [
    [null, "identity"],
    ["", "identity"],
    ["gzip", "gzip"],
    ["gzip, deflate, br, zstd", "br"],
    ["GZIP", "gzip"],
    ["br;q=0, gzip", "gzip"],
    ["br;q=0.5, gzip;q=0.8", "gzip"],
    ["br;q=0.8, gzip;q=0.8", "br"],
    ["*", "br"],
    ["*;q=0.5, br;q=0", "gzip"],
    ["identity", "identity"],
    ["identity, br;q=0.5", "identity"],
    ["identity;q=0.5, gzip;q=0.5", "gzip"],
    ["gzip;q=0", "identity"],
    ["zstd", "identity"],
    ["identity;q=0", "identity"],
  ]);
});

Deno.test("prefersMarkdown() and chooseCoding() ignore an Accept or Accept-Encoding header of more than 1,024 characters", () => {
  const [markdown, brotli] = ["text/markdown".padEnd(1_024), "br".padEnd(1_024)];
  assert.equal(prefersMarkdown(markdown), true);
  assert.equal(chooseCoding(brotli, () => true), "br");
  assert.equal(prefersMarkdown(`${markdown} `), false);
  assert.equal(chooseCoding(`${brotli} `, () => true), "identity");
});

Deno.test("chooseCoding() chooses only codings in which the answer is available", () => {
  assert.equal(chooseCoding("br, gzip;q=0.1", (coding) => coding !== "br"), "gzip");
});
