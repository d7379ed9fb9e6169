import assert from "node:assert/strict";
import { BASE_URL, startTestService } from "../../support/service.ts";

/** The links of a section, as titles and addresses. */
function linksOf(text: string, section: string): [string, string][] {
  const [, body = ""] = text.split(`## ${section}\n`);
  const [own = ""] = body.split("\n## ");
  return [...own.matchAll(/^- \[([^\]]+)\]\(([^)]+)\): .+$/gm)]
    .map(([, title = "", url = ""]) => [title, url]);
}

Deno.test("llmsTxt() has the form of llmstxt.org when it is served", async () => {
  await using service = await startTestService({ SITE_NAME: "Analytical Engines" });
  const text = await (await service.request("/llms.txt")).text();
  assert.match(text, /^# Analytical Engines\n\n> The early-access waitlist of Analytical Engines/);
  assert.deepEqual(
    [...text.matchAll(/^## (.*)$/gm)].map(([, name]) => name),
    ["API", "Discovery", "Pages", "Optional"],
  );
});

Deno.test("llmsTxt() links to documents that exist when it is served", async () => {
  await using service = await startTestService();
  const text = await (await service.request("/llms.txt")).text();
  const links = [...linksOf(text, "API"), ...linksOf(text, "Discovery")];
  assert.equal(links.length, 10);
  for (const [title, url] of links) {
    assert.ok(url.startsWith(BASE_URL), title);
    assert.equal((await service.request(url.slice(BASE_URL.length))).status, 200, url);
  }
});

Deno.test("llmsTxt() lists the English pages first and the others as optional when it is served", async () => {
  await using service = await startTestService();
  const text = await (await service.request("/llms.txt")).text();
  const paths = (section: string) =>
    linksOf(text, section).map(([, url]) => url.slice(BASE_URL.length));
  assert.deepEqual(paths("Pages"), ["/", "/developers/", "/imprint/", "/privacy/"]);
  assert.deepEqual(paths("Optional"), ["/de/", "/de/impressum/", "/de/datenschutz/"]);
});
