/** Which scripts run: those of the program, and with `CONTENT_SCRIPTS=on` those of the overlay. */
import assert from "node:assert/strict";
import { readContent } from "../../../server/content/mod.ts";
import { CONTENT_FOLDER, createSite } from "../../../server/site/mod.ts";
import { withoutCommentLines } from "../../../server/site/scripts.ts";
import { writeContent } from "../../support/brand.ts";
import { openBrowser, signIn } from "../../support/console.ts";
import { copyContent, SITE_OPTIONS } from "../../support/content.ts";
import { OPERATOR_KEY } from "../../support/operator.ts";
import { BASE_URL, startTestService, test, type TestService } from "../../support/service.ts";

const OWN = "document.title = 'own';\n";

/** Scripts of an overlay, in the place of each built-in one, and one more. */
const NAMES = [
  "choose.js",
  "contents.js",
  "copy.js",
  "embed.js",
  "framed.js",
  "recommend.js",
  "sign_up.js",
  "try_it.js",
  "try_it_bars.js",
  "upload.js",
];
const OVERLAY = {
  ...Object.fromEntries([...NAMES, "own.js"].map((name) => [`assets/${name}`, OWN])),
  "en/press.md":
    '---\npath: /press/\nlang: en\ntitle: T\ndescription: D.\n---\n\n<script src="/assets/own.js"></script>\n',
};

const EMBED = { EMBED_ORIGINS: "https://www.example.com" };

/** What `script-src` of an answer's policy allows. */
function sourceOf({ headers }: Response): string {
  const policy = headers.get("content-security-policy") ?? "";
  return /(?:^|; )script-src ([^;]*)/.exec(policy)?.[1] ?? "";
}

/** The addresses of the scripts in the head of a page. */
const scriptsOf = (page: string): string[] =>
  [...page.split("<body")[0]!.matchAll(/<script [^>]*src="([^"]+)"/g)].map(([, src = ""]) => src);

const builtIn = async (name: string) =>
  withoutCommentLines(await Deno.readTextFile(new URL(`assets/${name}`, CONTENT_FOLDER)));

async function textAt(service: TestService, path: string): Promise<string> {
  const response = await service.request(path);
  assert.equal(response.status, 200, path);
  return await response.text();
}

Deno.test("createSite() runs only the built-in scripts when the overlay has scripts of the same names", async (t) => {
  await using own = await writeContent(OVERLAY);
  await using service = await startTestService({ CONTENT_PATH: own.path, ...EMBED });
  const seen = new Set<string>();
  for (const path of ["/", "/de/", "/developers/", "/embed/", "/thanks/", "/press/", "/pricing"]) {
    await t.step(path, async () => {
      const response = await service.request(path);
      const source = sourceOf(response);
      assert.match(source, /^https:\/\/waitlist\.test\/assets\/scripts-[0-9a-f]{16}\/$/);
      for (const address of scriptsOf(await response.text())) {
        assert.ok(`${BASE_URL}${address}`.startsWith(source), address);
        const [, name = ""] = /\/([\w.]+)\?/.exec(address) ?? [];
        assert.equal(await textAt(service, address), await builtIn(name));
        seen.add(name);
      }
      // A module names another one of its folder.
      const imported = new URL("./try_it_bars.js", `${source}try_it.js`).pathname;
      assert.equal(await textAt(service, imported), await builtIn("try_it_bars.js"));
    });
  }
  assert.deepEqual([...seen].sort(), [
    "contents.js",
    "copy.js",
    "framed.js",

    "sign_up.js",
    "try_it.js",
  ]);
  assert.equal(await textAt(service, "/assets/sign_up.js"), OWN, "as a file that no page runs");
  assert.equal(await textAt(service, "/embed.js"), await builtIn("embed.js"));
});

Deno.test("createSite() lets pages run the scripts of the overlay when CONTENT_SCRIPTS is on", async () => {
  await using own = await writeContent(OVERLAY);
  const variables = { CONTENT_PATH: own.path, CONTENT_SCRIPTS: "on", ...EMBED };
  await using service = await startTestService(variables);
  const home = await service.request("/");
  assert.equal(sourceOf(home), "'self'");
  const [address = ""] = scriptsOf(await home.text());
  assert.match(address, /^\/assets\/sign_up\.js\?v=/);
  assert.equal(await textAt(service, address), OWN);
  assert.equal(await textAt(service, "/embed.js"), OWN);
});

for (const CONTENT_SCRIPTS of ["off", "on"]) {
  Deno.test(`createConsole() lets its pages run only the built-in scripts (CONTENT_SCRIPTS=${CONTENT_SCRIPTS})`, async () => {
    await using own = await writeContent(OVERLAY);
    const variables = { OPERATOR_KEY, CONTENT_PATH: own.path, CONTENT_SCRIPTS };
    await using service = await startTestService(variables);
    const operator = await signIn(service);
    const signedOut = await openBrowser(service).open("/operator/sign-in/");
    const { html, response } = await operator.send("/operator/clients/", {
      name: "A",
      stats: "on",
    });
    const source = sourceOf(response);
    assert.match(source, /^https:\/\/waitlist\.test\/assets\/scripts-[0-9a-f]{16}\/$/);
    assert.equal(sourceOf(signedOut.response), source);
    const addresses = scriptsOf(html);
    assert.equal(addresses.length, 1);
    assert.ok(`${BASE_URL}${addresses[0]}`.startsWith(source));
    assert.equal(await textAt(service, addresses[0]!), await builtIn("copy.js"));
  });
}

test(
  "createSite() sends the same script-src in Content-Security-Policy with every page",
  async (service, t) => {
    const source = sourceOf(await service.request("/"));
    const refused = {
      method: "POST",
      headers: { Accept: "text/html" },
      body: new URLSearchParams(),
    };
    for (
      const [path, init] of [
        ["/place/?t=none"],
        ["/place/"],
        ["/privacy"],
        ["/de/nirgends"],
        ["/api/v1/waitlist", refused],
      ] as const
    ) {
      await t.step(path, async () => {
        const response = await service.request(path, init);
        assert.equal(sourceOf(response), source);
        await response.body?.cancel();
      });
    }
  },
);

Deno.test("createSite() gives the built-in scripts new URLs when one of these scripts changes", async () => {
  const { scripts } = await readContent(CONTENT_FOLDER);
  assert.deepEqual(scripts.map(({ name }) => name), NAMES);
  await using copy = await copyContent();
  const sourceIn = async () => {
    const { routes } = await createSite({ ...SITE_OPTIONS, folder: copy.folder });
    return sourceOf(await routes.request("/"));
  };
  const before = await sourceIn();
  assert.equal(await sourceIn(), before);
  await Deno.writeTextFile(new URL("assets/try_it_bars.js", copy.folder), OWN);
  assert.notEqual(await sourceIn(), before);
});
