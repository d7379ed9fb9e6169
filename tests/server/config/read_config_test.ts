import assert from "node:assert/strict";
import type { Config, ServiceVariables } from "../../../server/config/mod.ts";
import { accept, refuse } from "../../support/config.ts";
import { SECRET_FILE_VARIABLES } from "../../../server/config/variables.ts";
import { writeContent } from "../../support/brand.ts";

const SITE = {
  contentPath: undefined,
  allowsContentScripts: false,
  siteName: undefined,
  embedOrigins: [],
};

const DEFAULTS: Config = {
  baseUrl: undefined,
  port: 8000,
  host: "127.0.0.1",
  contact: undefined,
  serviceName: "waitlist",
  kv: { kind: "file", path: "./data/waitlist.sqlite3" },
  trustedProxyHops: 0,
  sandboxClient: "sandbox-public-client",
  operators: [],
  mail: undefined,
  mailHook: undefined,
  notifyTo: undefined,
  unconfirmedDays: 14,
  remindAfterDays: undefined,
  hasReferrals: false,
  showsPlaceInLine: true,
  webhook: undefined,
  backup: undefined,
  site: SITE,
  logLevel: "info",
  secretFiles: [],
  isDenoDeploy: false,
};

Deno.test("readConfig() returns the defaults when no variable is set or all variables are empty", () => {
  assert.deepEqual(accept({}), DEFAULTS);
  const empty = { BASE_URL: "", PORT: "", HOST: "", CONTACT: "", KV_PATH: "", KV_URL: "" };
  const others = { OPERATOR_KEY: "", SANDBOX_CLIENT: "", LOG_LEVEL: "", DENO_DEPLOY: "" };
  assert.deepEqual(accept({ ...empty, ...others }), DEFAULTS);
});

const KEY = "0123456789".repeat(3) + "01";

const ACCEPTED: [ServiceVariables, Partial<Config>][] = [
  [{ BASE_URL: "https://example.com" }, { baseUrl: "https://example.com" }],
  [{ BASE_URL: "https://example.com/" }, { baseUrl: "https://example.com" }],
  [{ BASE_URL: "http://[::1]:8443/" }, { baseUrl: "http://[::1]:8443" }],
  [{ BASE_URL: "https://EXAMPLE.com:443" }, { baseUrl: "https://example.com" }],
  [{ PORT: "0" }, { port: 0 }],
  [{ PORT: "65535" }, { port: 65_535 }],
  [{ HOST: "0.0.0.0" }, { host: "0.0.0.0" }],
  [{ HOST: "::1" }, { host: "::1" }],
  [{ HOST: "localhost" }, { host: "localhost" }],
  [{ CONTACT: "mailto:team@example.com" }, { contact: "mailto:team@example.com" }],
  [{ CONTACT: "https://example.com/contact" }, { contact: "https://example.com/contact" }],
  [{ SERVICE_NAME: "early-access2" }, { serviceName: "early-access2" }],
  [{ SERVICE_NAME: "x".repeat(63) }, { serviceName: "x".repeat(63) }],
  [{ KV_PATH: "./data/deeper/kv" }, { kv: { kind: "file", path: "./data/deeper/kv" } }],
  [{ KV_PATH: "../server/kv" }, { kv: { kind: "file", path: "../server/kv" } }],
  [{ KV_PATH: "/a folder, far/kv" }, { kv: { kind: "file", path: "/a folder, far/kv" } }],
  [{
    KV_URL: "postgres://ada:p%40ss%25@db.example.com:6432,[::1],b/wait%2Flist?sslrootcert=/ca.pem",
  }, {
    kv: {
      kind: "postgres",
      hosts: [
        { host: "db.example.com", port: 6432 },
        { host: "::1", port: 5432 },
        { host: "b", port: 5432 },
      ],
      user: "ada",
      password: "p@ss%",
      database: "wait/list",
      tls: { ca: "/ca.pem" },
    },
  }],
  [{ KV_URL: "postgresql://ada@localhost,127.0.0.2/waitlist" }, {
    kv: {
      kind: "postgres",
      hosts: [{ host: "localhost", port: 5432 }, { host: "127.0.0.2", port: 5432 }],
      user: "ada",
      password: "",
      database: "waitlist",
    },
  }],
  [{ TRUSTED_PROXY_HOPS: "0" }, { trustedProxyHops: 0 }],
  [{ TRUSTED_PROXY_HOPS: "2" }, { trustedProxyHops: 2 }],
  [{ SANDBOX_CLIENT: "Try.me_~-9" }, { sandboxClient: "Try.me_~-9" }],
  [{ SANDBOX_CLIENT: "x".repeat(128) }, { sandboxClient: "x".repeat(128) }],
  [{ EMBED_ORIGINS: " https://www.example.com\thttp://localhost:3000/ " }, {
    site: { ...SITE, embedOrigins: ["https://www.example.com", "http://localhost:3000"] },
  }],
  [{ OPERATOR_KEY: KEY }, { operators: [{ name: "operator", role: "operator", key: KEY }] }],
  [{ OPERATOR_KEYS: ` ada=${KEY}  grace_2-x=${KEY}==\n` }, {
    operators: [{ name: "ada", role: "operator", key: KEY }, {
      name: "grace_2-x",
      role: "operator",
      key: `${KEY}==`,
    }],
  }],
  [{ OPERATOR_KEYS: `ada:operator=${KEY} shop:product=${KEY}= eve:viewer=${KEY}y` }, {
    operators: [
      { name: "ada", role: "operator", key: KEY },
      { name: "shop", role: "product", key: `${KEY}=` },
      { name: "eve", role: "viewer", key: `${KEY}y` },
    ],
  }],
  [{ OPERATOR_KEYS: `operator=${KEY}` }, {
    operators: [{ name: "operator", role: "operator", key: KEY }],
  }],
  [{ OPERATOR_KEYS: `ada=${KEY},=,` }, {
    operators: [{ name: "ada", role: "operator", key: `${KEY},=,` }],
  }],
  [{ OPERATOR_KEY: KEY, OPERATOR_KEYS: `ada=${KEY}x` }, {
    operators: [{ name: "operator", role: "operator", key: KEY }, {
      name: "ada",
      role: "operator",
      key: `${KEY}x`,
    }],
  }],
  [{ SITE_NAME: "Häuser & Söhne" }, { site: { ...SITE, siteName: "Häuser & Söhne" } }],
  [{ SITE_NAME: "x".repeat(100) }, { site: { ...SITE, siteName: "x".repeat(100) } }],
  [{ CONTENT_PATH: "../acme no" }, { site: { ...SITE, contentPath: "../acme no" } }],
  [{ CONTENT_SCRIPTS: "on" }, { site: { ...SITE, allowsContentScripts: true } }],
  [{ CONTENT_SCRIPTS: "off" }, { site: SITE }],
  [{ LOG_LEVEL: "debug" }, { logLevel: "debug" }],
  [{ LOG_LEVEL: "info" }, { logLevel: "info" }],
  [{ LOG_LEVEL: "warn" }, { logLevel: "warn" }],
  [{ LOG_LEVEL: "error" }, { logLevel: "error" }],
  [{ DENO_DEPLOY: "1", BASE_URL: "https://example.com", KV_PATH: "/unused/kv" }, {
    baseUrl: "https://example.com",
    kv: { kind: "deploy" },
    isDenoDeploy: true,
  }],
];

Deno.test("readConfig() returns the value of each set variable, and the defaults of all other variables", async (t) => {
  for (const [variables, settings] of ACCEPTED) {
    await t.step(`the variables are ${JSON.stringify(variables)}`, () => {
      assert.deepEqual(accept(variables), { ...DEFAULTS, ...settings });
    });
  }
});

const SECRET = `whsec_${btoa("0123456789".repeat(4))}`;
const OTHER = `whsec_${btoa("9876543210".repeat(4))}`;

Deno.test("readConfig() reads MAIL_PER_MINUTE, UNCONFIRMED_DAYS, REMIND_AFTER_DAYS, NOTIFY_TO, WEBHOOK_URL and WEBHOOK_SECRET", () => {
  const url = "https://hooks.example.com/a?b=c";
  const { mail, unconfirmedDays, remindAfterDays, notifyTo, webhook } = accept({
    MAIL_URL: "file:mail",
    MAIL_PER_MINUTE: "12000",
    UNCONFIRMED_DAYS: "5",
    REMIND_AFTER_DAYS: "2",
    NOTIFY_TO: "ops@example.com",
    WEBHOOK_URL: url,
    WEBHOOK_SECRET: `${SECRET} ${OTHER}`,
  });
  assert.equal(mail?.perMinute, 12_000);
  assert.deepEqual([unconfirmedDays, remindAfterDays, notifyTo], [5, 2, "ops@example.com"]);
  assert.deepEqual(webhook, { url, secrets: [SECRET, OTHER] });
});

Deno.test("readConfig() reads BACKUP_URL, BACKUP_AT, BACKUP_KEEP and BACKUP_RECIPIENT", () => {
  const location = { kind: "folder", path: "/var/backups/waitlist" } as const;
  const url = { BACKUP_URL: "/var/backups/waitlist" };
  const recipient = `age1${"q".repeat(58)}`;
  assert.deepEqual(accept(url).backup, { location, timeOfDay: 180, keep: 14, recipients: [] });
  const all = {
    BACKUP_AT: "23:59",
    BACKUP_KEEP: "2",
    BACKUP_RECIPIENT: `${recipient} ${recipient}`,
  };
  assert.deepEqual(accept({ ...url, ...all }).backup, {
    location,
    timeOfDay: 24 * 60 - 1,
    keep: 2,
    recipients: [recipient, recipient],
  });
});

Deno.test("readConfig() reads the bucket, its endpoint, its region and its prefix from BACKUP_URL, and reads the access key", () => {
  const key = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "secret" };
  const others = { ...key, BACKUP_RECIPIENT: `age1${"q".repeat(58)}` };
  const of = (BACKUP_URL: string) => accept({ BACKUP_URL, ...others }).backup?.location;
  const signer = { accessKeyId: "id", secretAccessKey: "secret" };
  assert.deepEqual(of("s3://bucket/a/b%20c/?endpoint=http://127.0.0.1:9000&region=eu"), {
    kind: "s3",
    endpoint: "http://127.0.0.1:9000",
    region: "eu",
    bucket: "bucket",
    prefix: "a/b c/",
    ...signer,
  });
  assert.deepEqual(of("s3://bucket"), {
    kind: "s3",
    endpoint: "https://s3.us-east-1.amazonaws.com",
    region: "us-east-1",
    bucket: "bucket",
    prefix: "",
    ...signer,
  });
});

Deno.test("readConfig() reads each secret from the file that the variable <NAME>_FILE names, and removes the last line end", async (t) => {
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
  assert.deepEqual(SECRET_FILE_VARIABLES, Object.keys(secrets).map((name) => `${name}_FILE`));
  const others = {
    MAIL_FROM: "hello@example.com",
    WEBHOOK_URL: "https://hooks.example.com/waitlist",
    BACKUP_URL: "s3://bucket/waitlist",
    BACKUP_RECIPIENT: `age1${"q".repeat(58)}`,
    AWS_ACCESS_KEY_ID: "the-id-of-the-key",
  };
  for (const end of ["", "\n", "\r\n"]) {
    await t.step(`the files end with ${JSON.stringify(end)}`, async () => {
      const contents = Object.entries(secrets).map(([name, secret]) => [name, secret + end]);
      await using folder = await writeContent(Object.fromEntries(contents));
      const paths = Object.keys(secrets).map((name) => [`${name}_FILE`, `${folder.path}/${name}`]);
      const { secretFiles, ...config } = accept({ ...others, ...Object.fromEntries(paths) });
      assert.deepEqual(secretFiles, paths.map(([, path]) => path));
      const { secretFiles: none, ...expected } = accept({ ...others, ...secrets });
      assert.deepEqual(config, expected);
      assert.deepEqual(none, []);
    });
  }
});

Deno.test("readConfig() refuses a secret that is set twice or whose file cannot be used, and quotes no secret", async (t) => {
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
    // A relative path may be the secret itself.
    [
      { OPERATOR_KEY_FILE: KEY },
      /^OPERATOR_KEY cannot be read from the path in OPERATOR_KEY_FILE: ENOENT: no such file or directory\. /,
    ],
    [
      { OPERATOR_KEY_FILE: "hunter2/../tests" },
      /^OPERATOR_KEY cannot be read from the path in OPERATOR_KEY_FILE: EISDIR: it is a directory\. /,
    ],
    // The system's error for such a long name quotes the name before any comma, or has another code.
    [
      { OPERATOR_KEY_FILE: KEY.repeat(20) },
      /^OPERATOR_KEY cannot be read from the path in OPERATOR_KEY_FILE: it cannot be opened\. /,
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
    await t.step(`the fault matches ${fault}`, () => {
      const [first = "", ...others] = refuse(variables);
      assert.match(first, fault);
      assert.ok(!first.includes("hunter2") && !first.includes(KEY), first);
      assert.deepEqual(others, []);
    });
  }
});
