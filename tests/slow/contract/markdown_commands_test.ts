/** The commands of `/openapi.json.md` are run by bash as they are printed, against a real socket. */
import assert from "node:assert/strict";
import { listen } from "../../support/listen.ts";
import { makeTestFolder, outputOf } from "../../support/process.ts";

const AFTER_BLOCK = "--- end of block ---";

/** The shell blocks of a Markdown text. */
function shellBlocks(markdown: string): string[] {
  return [...markdown.matchAll(/^```sh\n(.*?)\n```$/gms)].map(([, block = ""]) => block);
}

/**
 * Runs the blocks one after another in one shell, as a reader would.
 * @returns what each of them printed
 */
async function run(blocks: string[]): Promise<string[]> {
  // curl's own settings make a status of 400 or above an error; the commands stay as printed.
  await using folder = await makeTestFolder();
  const home = folder.path;
  const settings = "fail-with-body\nsilent\nshow-error\nmax-time = 20\n";
  await Deno.writeTextFile(`${home}/.curlrc`, settings);
  const script = blocks.map((block) => `${block}\necho "${AFTER_BLOCK}"`).join("\n");
  const command = ["bash", "-e", "-u", "-o", "pipefail", "-c", script];
  const output = await outputOf(command, { env: { HOME: home, CURL_HOME: home } });
  return output.split(AFTER_BLOCK).slice(0, -1);
}

Deno.test("openApiMarkdown() prints, for each operation, a command that works when it is pasted into a shell", async (t) => {
  await using service = await listen();
  const document = await (await fetch(`${service.baseUrl}/openapi.json`)).json();
  const markdown = await (await fetch(`${service.baseUrl}/openapi.json.md`)).text();
  const blocks = shellBlocks(markdown);
  const [, ...sections] = markdown.split("\n### ");
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`)
  );
  const withOne = sections.filter((text) => shellBlocks(text).length === 1);
  assert.deepEqual(withOne.map((text) => text.split("\n")[0]), operations);
  const outputs = await run(blocks);
  assert.equal(outputs.length, blocks.length);

  /** What the commands of a section printed. */
  const printed = (heading: string) => {
    const [block = ""] = shellBlocks(markdown.split(`\n### ${heading}\n`)[1] ?? "");
    return outputs[blocks.lastIndexOf(block)] ?? "";
  };
  assert.match(printed("GET /api/v1"), /"environment":"sandbox"/);
  assert.match(printed("GET /api/v1/status"), /"status":"ok"/);
  for (const path of ["/api/v1", "/api/v1/status", "/api/v1/waitlist/stats"]) {
    await t.step(`HEAD ${path}`, () => {
      assert.match(printed(`HEAD ${path}`), /^\s*HTTP\/1\.1 200 OK\r\n/);
    });
  }
  assert.equal(printed("POST /api/v1/oauth/token").match(/"access_token":"/g)?.length, 2);
  for (const path of ["/api/v1/waitlist", "/api/waitlist"]) {
    await t.step(`POST ${path}`, () => {
      assert.equal(printed(`POST ${path}`).match(/\{"accepted":true\}/g)?.length, 2);
      assert.match(printed(`POST ${path}`), /303 See Other\r\n.*location: \/de\/danke\/\r\n/is);
    });
  }
  assert.deepEqual(
    JSON.parse(printed("GET /api/v1/waitlist/stats")),
    document.components.responses.WaitlistStats.content["application/json"].examples.sandbox.value,
  );
});
