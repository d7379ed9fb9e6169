import assert from "node:assert/strict";
import type { ServiceVariables } from "../../../server/config/mod.ts";
import { SECRET_FILES } from "../../../server/config/variables.ts";
import { writeContent } from "../../support/brand.ts";
import { accept, refuse } from "../../support/config.ts";

const KEY = "0123456789".repeat(3) + "01";

Deno.test("readConfig() takes each secret from the file that NAME_FILE names, without its last line end", async () => {
  const secrets = {
    KV_URL: "postgres://ada:hunter2@db.example.com/waitlist",
    OPERATOR_KEY: KEY,
    OPERATOR_KEYS: `ada=${KEY}a shop:product=${KEY}b`,
    MAIL_URL: "https://api.example.com/emails",
    MAIL_TOKEN: "the-token-of-a-mail-api",
    MAIL_HOOK: "postmark:a-password-of-a-hook",
    WEBHOOK_SECRET: `whsec_${btoa("a secret that signs events")}`,
    AWS_SECRET_ACCESS_KEY: "the-secret-access-key",
  };
  assert.deepEqual(SECRET_FILES, Object.keys(secrets).map((name) => `${name}_FILE`));
  const others = {
    MAIL_FROM: "hello@example.com",
    WEBHOOK_URL: "https://hooks.example.com/waitlist",
    BACKUP_URL: "s3://bucket/waitlist",
    BACKUP_RECIPIENT: `age1${"q".repeat(58)}`,
    AWS_ACCESS_KEY_ID: "the-id-of-the-key",
  };
  for (const end of ["", "\n", "\r\n"]) {
    const contents = Object.entries(secrets).map(([name, secret]) => [name, secret + end]);
    await using folder = await writeContent(Object.fromEntries(contents));
    const paths = Object.keys(secrets).map((name) => [`${name}_FILE`, `${folder.path}/${name}`]);
    const { secretFiles, ...config } = accept({ ...others, ...Object.fromEntries(paths) });
    assert.deepEqual(secretFiles, paths.map(([, path]) => path));
    const { secretFiles: none, ...expected } = accept({ ...others, ...secrets });
    assert.deepEqual(config, expected);
    assert.deepEqual(none, []);
  }
});

Deno.test("readConfig() refuses a secret that is set twice, or whose file has none, and quotes nothing of it", async () => {
  await using folder = await writeContent({ empty: "\n", short: "hunter2\n", lines: `${KEY}\n\n` });
  const cases: [variables: ServiceVariables, fault: RegExp][] = [
    [
      { OPERATOR_KEY: KEY, OPERATOR_KEY_FILE: `${folder.path}/short` },
      /^OPERATOR_KEY is set, and OPERATOR_KEY_FILE too; unset one of them\. Example: OPERATOR_KEY=/,
    ],
    [
      { OPERATOR_KEY_FILE: "/nowhere/key" },
      /^OPERATOR_KEY cannot be read from '\/nowhere\/key' of OPERATOR_KEY_FILE: ENOENT: no such file/,
    ],
    [
      { OPERATOR_KEY_FILE: folder.path },
      /^OPERATOR_KEY cannot be read from '.+' of OPERATOR_KEY_FILE: EISDIR: .+ directory/,
    ],
    [
      { OPERATOR_KEY_FILE: `${folder.path}/empty` },
      /^OPERATOR_KEY cannot be read from '.+' of OPERATOR_KEY_FILE: the file is empty\./,
    ],
    [
      { OPERATOR_KEY_FILE: `${folder.path},x` },
      /^OPERATOR_KEY cannot be read from '.+,x' of OPERATOR_KEY_FILE: is '.+', a path with a comma/,
    ],
    [{ OPERATOR_KEY_FILE: `${folder.path}/short` }, /^OPERATOR_KEY .*32/],
    [{ OPERATOR_KEY_FILE: `${folder.path}/lines` }, /^OPERATOR_KEY /],
    // A file that cannot be read is one fault, and the secret is not missing beside it.
    [
      { MAIL_URL: "https://a.example/", MAIL_FROM: "a@a.example", MAIL_TOKEN_FILE: "/nowhere" },
      /^MAIL_TOKEN cannot be read from '\/nowhere' of MAIL_TOKEN_FILE: ENOENT/,
    ],
  ];
  for (const [variables, fault] of cases) {
    const [first = "", ...others] = refuse(variables);
    assert.match(first, fault);
    assert.ok(!first.includes("hunter2") && !first.includes(KEY), first);
    assert.deepEqual(others, []);
  }
});
