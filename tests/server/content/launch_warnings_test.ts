import assert from "node:assert/strict";
import { type LaunchSettings, launchWarnings } from "../../../server/content/launch_warnings.ts";
import { readContent } from "../../../server/content/mod.ts";
import { CONTENT_FOLDER } from "../../../server/site/mod.ts";

const { languages } = await readContent(CONTENT_FOLDER);

/** The languages without notes to whoever runs the site, but with another one. */
const finished = languages.map(({ pages }) => ({
  pages: pages.map((page) => ({
    ...page,
    body: `${page.body.replaceAll(/<!--[^]*?-->/g, "")}<!-- Hi -->`,
  })),
}));

const READY: LaunchSettings = {
  baseUrl: "https://waitlist.example.com",
  siteName: "Acme",
  contact: "mailto:hello@example.com",
  hasPromise: true,
  hasOwnPicture: true,
  lettersLackLogo: false,
  languages: finished,
  mail: undefined,
  backup: undefined,
  trustedProxyHops: 1,
  isDenoDeploy: false,
};

const BACKUP = {
  location: { kind: "folder" as const, path: "/var/backups" },
  timeOfDay: 180,
  keep: 14,
  recipients: [],
} satisfies LaunchSettings["backup"];

const FOLDER = {
  target: { kind: "folder", name: "mail" },
  from: undefined,
  perMinute: 300,
  returnPath: undefined,
} as const;

Deno.test("launchWarnings() returns no warning when everything is set, or when BASE_URL is http:", () => {
  assert.deepEqual(launchWarnings(READY), []);
  const placeholders = { ...READY, siteName: "Example Company", contact: undefined, languages };
  assert.deepEqual(launchWarnings({ ...placeholders, baseUrl: "http://localhost:8000" }), []);
  assert.deepEqual(launchWarnings({ ...READY, trustedProxyHops: 0, isDenoDeploy: true }), []);
});

Deno.test("launchWarnings() names each setting that is missing or has its placeholder, and says how to correct the setting", async (t) => {
  const table: [settings: Partial<LaunchSettings>, about: string, message: RegExp][] = [
    [
      { siteName: "Example Company" },
      "name",
      /'Example Company'\. Set SITE_NAME, or 'name' in brand\.yaml\.$/,
    ],
    [
      { hasPromise: false },
      "promise",
      /Set 'promise' in brand\.yaml, or write your own index\.md\.$/,
    ],
    [
      { hasOwnPicture: false },
      "picture",
      /which shows no company\. Put your own picture into the folder of CONTENT_PATH, as assets\/social\.png;/,
    ],
    [
      { contact: undefined },
      "contact",
      /a guess, .+ Set CONTACT to an address that somebody reads\.$/,
    ],
    [{ mail: FOLDER }, "letters", /reach nobody\. Set MAIL_URL to a mail server/],
    [
      { backup: BACKUP },
      "backups",
      /Set BACKUP_RECIPIENT to the public key of an age key pair, and keep the secret key/,
    ],
    [
      { lettersLackLogo: true, mail: { ...FOLDER, target: { kind: "api", url: "", token: "" } } },
      "logo",
      /Set 'letter_logo' in brand\.yaml to a PNG of at most 100 KB\.$/,
    ],
    [{ trustedProxyHops: 0 }, "proxy", /Set TRUSTED_PROXY_HOPS to the number of your proxies\.$/],
  ];
  for (const [settings, about, message] of table) {
    await t.step(`the warning is about ${about}`, () => {
      const warnings = launchWarnings({ ...READY, ...settings });
      assert.deepEqual(warnings.map((warning) => warning.about), [about]);
      assert.match(warnings[0]!.message, message);
    });
  }
});

Deno.test("launchWarnings() names the English and German files that still have a note to editors", () => {
  const [{ message } = { message: "" }, ...others] = launchWarnings({ ...READY, languages });
  assert.deepEqual(others, []);
  const files = Array.from(message.matchAll(/content\/\S+\.md/g), ([file]) => file);
  assert.deepEqual(files.sort(), [
    "content/de/imprint.md",
    "content/de/index.md",
    "content/de/privacy.md",
    "content/en/imprint.md",
    "content/en/index.md",
    "content/en/privacy.md",
  ]);
  assert.match(message, /without the notes, into the folder of CONTENT_PATH\.$/);
});
