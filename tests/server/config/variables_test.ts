import assert from "node:assert/strict";
import type { ServiceVariables } from "../../../server/config/mod.ts";
import {
  SERVICE_VARIABLES,
  type Variable,
  VARIABLE_NAMES,
} from "../../../server/config/variables.ts";
import {
  accept,
  assertNotQuoted,
  assertRefused,
  refuse,
  type Refused,
} from "../../support/config.ts";

const KEY = "0123456789".repeat(3) + "01";

const REFUSED: Refused[] = [
  ["BASE_URL", "example.com", /'example\.com', which is not a valid http: or https: address/],
  ["BASE_URL", "localhost:8000", /'localhost:8000'/],
  ["BASE_URL", "ftp://example.com", /'ftp:\/\/example\.com'/],
  ["BASE_URL", "https://example.com/shop", /'https:\/\/example\.com\/shop'.* path/],
  ["BASE_URL", "https://example.com//", /path/],
  ["BASE_URL", "https://example.com/?a=b", /query/],
  ["BASE_URL", "https://example.com/?", /query/],
  ["BASE_URL", "https://example.com/#top", /fragment/],
  ["BASE_URL", "https://user@example.com", /user part/],
  ["BASE_URL", "https://user:password@example.com", /user part/],
  [
    "EMBED_ORIGINS",
    "www.example.com",
    /'www\.example\.com', which is not a valid http: or https: address/,
  ],
  ["EMBED_ORIGINS", "https://a.example https://b.example/page", /b\.example\/page'.* path/],
  ["EMBED_ORIGINS", "*", /'\*', which is not a valid http/],
  [
    "EMBED_ORIGINS",
    "https://*.example.com",
    /'https:\/\/\*\.example\.com', whose host is not a plain/,
  ],
  [
    "EMBED_ORIGINS",
    "https://a;b.example",
    /'https:\/\/a;b\.example', whose host is not a plain name/,
  ],
  [
    "EMBED_ORIGINS",
    "https://a.example,https://b.example",
    /b\.example', which has a comma; write a space for it/,
  ],
  ["EMBED_ORIGINS", "https://a.example, https://b.example", /a comma; write a space for it/],
  ["PORT", "eighty", /'eighty'.*whole number from 0 to 65535/],
  ["PORT", "65536", /'65536'/],
  ["PORT", "-1", /'-1'/],
  ["PORT", "80.5", /'80\.5'/],
  ["PORT", "0x50", /'0x50'/],
  ["PORT", " 80", /' 80'/],
  ["HOST", "http://127.0.0.1", /'http:\/\/127\.0\.0\.1', which is not a host name or an address/],
  ["HOST", "local host", /'local host'/],
  [
    "CONTACT",
    "team@example.com",
    /'team@example\.com', which is not a valid mailto: or https: address/,
  ],
  ["CONTACT", "http://example.com/contact", /'http:\/\/example\.com\/contact'/],
  ["CONTACT", "mailto:", /names no mailbox/],
  ["CONTACT", "mailto:nobody", /'mailto:nobody', which names no mailbox/],
  ["CONTACT", "mailto:a%zz@b.co", /names no mailbox/],
  ["SERVICE_NAME", "Early Access", /'Early Access'.*a-z, 0-9/],
  ["SERVICE_NAME", "-access", /'-access'/],
  ["SERVICE_NAME", "access-", /'access-'/],
  ["SERVICE_NAME", "x".repeat(64), /63/],
  ["KV_PATH", ":memory:", /':memory:'; it takes a file/],
  [
    "KV_PATH",
    "waitlist.sqlite3",
    /'waitlist\.sqlite3'; .+ holds its own code\. Give the file a folder/,
  ],
  ["KV_PATH", "./server/store/kv.sqlite3", /holds its own code/],
  ["KV_PATH", "data/../.git/kv.sqlite3", /holds its own code/],
  ["KV_PATH", "../kv.sqlite3", /holds its own code/],
  ["KV_PATH", "/kv.sqlite3", /'\/' holds its own code/],
  [
    "KV_PATH",
    "/proc/x",
    /'\/proc\/x'; '\/proc' belongs to the .+ Give the file a folder on a disk/,
  ],
  ["KV_PATH", "/sys/x/kv.sqlite3", /'\/sys\/x' belongs to the operating system/],
  ["KV_PATH", "/dev/../dev/shm/kv.sqlite3", /'\/dev\/shm' belongs to the operating system/],
  [
    "KV_URL",
    "postgres://db.example.com/waitlist",
    /must be postgres:\/\/user:password@host\/database/,
  ],
  ["KV_URL", "postgres://ada:a%ZZ@db.example.com/waitlist", /such as %25 for a %/],
  [
    "KV_URL",
    "postgres://ada@db.example.com:0/waitlist",
    /a host that is neither host nor host:port/,
  ],
  ["KV_URL", "postgres://ada@a.example,,b.example/waitlist", /separate several by commas/],
  ["KV_URL", "postgres://ada@db.example.com/waitlist?sslmode=require", /'require'.*verify-full or/],
  ["KV_URL", "postgres://ada@db.example.com/waitlist?sslcert=a", /the parameter 'sslcert'/],
  ["KV_URL", "postgres://ada@db.example.com/waitlist?sslrootcert=a,b", /sslrootcert with a comma/],
  ["KV_URL", "postgres://ada:a%ZZ@localhost/waitlist", /such as %25 for a %/],
  [
    "KV_URL",
    "postgres://ada@db.example.com/waitlist?sslmode=disable&sslrootcert=/ca.pem",
    /an sslrootcert, but no TLS; add sslmode=verify-full, or leave sslrootcert out/,
  ],
  [
    "KV_URL",
    "postgres://ada@localhost/waitlist?sslrootcert=/ca.pem",
    /an sslrootcert, but no TLS; add sslmode=verify-full, or leave sslrootcert out/,
  ],
  ["BACKUP_URL", "ftp://host/x", /'ftp:\/\/host\/x'; it must be the path of a folder, or s3/],
  ["BACKUP_URL", "content/backups", /holds its own code\. Give backups a folder of their own/],
  ["BACKUP_URL", "/var/a,b", /a path with a comma/],
  ["BACKUP_URL", "s3:bucket", /'s3:bucket'; it must be s3:\/\/bucket\/prefix\?endpoint=/],
  [
    "BACKUP_URL",
    "s3://bucket/a?acl=public",
    /may have only a bucket, a prefix, endpoint= and region=, so remove the rest/,
  ],
  ["BACKUP_URL", "s3://bucket?endpoint=example.com", /'example\.com', which is not an origin/],
  [
    "BACKUP_URL",
    "s3://bucket?endpoint=http://s3.example.com",
    /http: is allowed only for an endpoint on this machine, so give an https: URL/,
  ],
  ["BACKUP_URL", "s3://bucket?region=EU", /has the region 'EU'/],
  [
    "BACKUP_URL",
    "s3://bucket/%",
    /the prefix '\/%', which cannot be decoded; write each % in the prefix as %25/,
  ],
  [
    "BACKUP_URL",
    "s3://bucket/a/../b",
    /has the prefix '\/a\/\.\.\/b'; no part of a prefix may be '\.' or '\.\.'/,
  ],
  ["BACKUP_URL", "s3://bucket/..", /no part of a prefix may be/],
  ["BACKUP_URL", "s3://bucket/./a", /no part of a prefix may be/],
  ["BACKUP_URL", "s3://bucket/a/%2e%2E/b", /no part of a prefix may be/],
  ["BACKUP_URL", "s3://bucket/a/..%2fb", /no part of a prefix may be/],
  [
    "BACKUP_URL",
    "s3://KEY:SECRET@bucket",
    /'…@bucket', which has a user name or a password; .+ AWS_ACCESS_KEY_ID/,
  ],
  ["KV_PATH", "postgres://ada@db/waitlist", /an address; it takes a file, and KV_URL the address/],
  ["BACKUP_AT", "24:00", /'24:00'; it must be a time of the day in UTC/],
  ["BACKUP_AT", "3:00", /'3:00'/],
  ["BACKUP_KEEP", "0", /'0'; it must be a whole number from 1/],
  ["TRUSTED_PROXY_HOPS", "-1", /'-1'.*whole number from 0/],
  ["TRUSTED_PROXY_HOPS", "true", /'true'/],
  ["TRUSTED_PROXY_HOPS", "1.5", /'1\.5'/],
  ["SANDBOX_CLIENT", "try me", /'try me'.*A-Z a-z 0-9/],
  ["SANDBOX_CLIENT", "a:b", /'a:b'/],
  ["SANDBOX_CLIENT", "x".repeat(129), /128/],
  ["OPERATOR_KEY", KEY.slice(1), /31 characters.*32 or more/],
  ["OPERATOR_KEY", "a".repeat(64), /has 1 distinct character; it needs 10 or more/],
  ["OPERATOR_KEY", "012345678".repeat(4), /has 9 distinct characters/],
  ["OPERATOR_KEY", `${KEY} ${KEY}`, /visible ASCII/],
  ["OPERATOR_KEY", `${KEY}ö`, /visible ASCII/],
  ["OPERATOR_KEYS", KEY, /pair 1 of name and key without a name of 1 to 40 characters/],
  ["OPERATOR_KEYS", `ada=${KEY} ${KEY}x`, /pair 2 of name and key without a name/],
  ["OPERATOR_KEYS", `Ada=${KEY}`, /without a name of .+ a-z, 0-9, _ and -/],
  ["OPERATOR_KEYS", `${"a".repeat(41)}=${KEY}`, /without a name/],
  ["OPERATOR_KEYS", `=${KEY}`, /without a name/],
  ["OPERATOR_KEYS", `ada:admin=${KEY}`, /pair 1 .+ not one of operator, viewer, backup, product/],
  ["OPERATOR_KEYS", `ada:=${KEY}`, /with a role that is not one of/],
  ["OPERATOR_KEYS", `ada=${KEY},eve:viewer=${KEY}x`, /a comma begins another pair/],
  ["OPERATOR_KEYS", `ada=${KEY} grace=short`, /pair 2 .+, whose key has 5 characters/],
  ["OPERATOR_KEYS", `ada=${"a".repeat(64)}`, /whose key has 1 distinct character;/],
  ["OPERATOR_KEYS", `ada=${KEY}ö`, /whose key has a character that no HTTP header can carry/],
  ["OPERATOR_KEYS", `ada=${KEY},grace=${KEY}x`, /pair 1 .+a comma.+; separate pairs by spaces/],
  ["OPERATOR_KEYS", `ada=${KEY} ada=${KEY}x`, /the same name twice/],
  ["OPERATOR_KEYS", `ada=${KEY} grace=${KEY}`, /the same key twice/],
  ["CONTENT_SCRIPTS", "true", /'true'; it must be one of on, off/],
  ["CONTENT_PATH", "./acme,inc", /'\.\/acme,inc', a path with a comma/],
  ["SITE_NAME", "x".repeat(101), /100/],
  ["SITE_NAME", "two\nlines", /control character/],
  ["LOG_LEVEL", "verbose", /'verbose'.*debug, info, warn, error/],
  ["LOG_LEVEL", "INFO", /'INFO'/],
];

Deno.test("readConfig() names the variable, the fault and an example when a variable has a wrong value", () => {
  assertRefused(REFUSED, {});
});

Deno.test("readConfig() requires a valid BASE_URL on Deno Deploy", () => {
  assert.match(refuse({ DENO_DEPLOY: "1" }).join("\n"), /^BASE_URL is required on Deno Deploy.+$/);
  assert.match(refuse({ DENO_DEPLOY: "1", BASE_URL: "here" }).join("\n"), /^BASE_URL is 'here'.+$/);
});

Deno.test("readConfig() refuses an operator in OPERATOR_KEYS who has the same name or the same key as the operator of OPERATOR_KEY", async (t) => {
  for (
    const [OPERATOR_KEYS, fault] of [
      [
        `operator=${KEY}x`,
        /^OPERATOR_KEYS has the name of the operator of OPERATOR_KEY.+'operator'/,
      ],
      [
        `ada=${KEY}`,
        /^OPERATOR_KEYS has the key of the operator of OPERATOR_KEY.+Example: OPERATOR/,
      ],
    ] as const
  ) {
    await t.step(`the fault matches ${fault}`, () => {
      const faults = refuse({ OPERATOR_KEY: KEY, OPERATOR_KEYS });
      assert.match(faults.join("\n"), fault);
      assert.ok(!faults.join().includes(KEY));
    });
  }
});

Deno.test("readConfig() reports the faults of all variables at once", () => {
  const wrong: ServiceVariables = { DENO_DEPLOY: "1", KV_URL: "postgres://ada@127.0.0.1/waitlist" };
  const names = new Set(["BASE_URL"]);
  for (const [name, value] of REFUSED) {
    if (name === "BASE_URL" || name === "KV_URL") continue;
    wrong[name] = value;
    names.add(name);
  }
  const faults = refuse(wrong);
  assert.deepEqual(faults.map((fault) => fault.split(" ")[0]).toSorted(), [...names].toSorted());
});

Deno.test("readConfig() reads the prefix of a bucket from BACKUP_URL", async (t) => {
  const others = {
    BACKUP_RECIPIENT: `age1${"q".repeat(58)}`,
    AWS_ACCESS_KEY_ID: "id",
    AWS_SECRET_ACCESS_KEY: "key",
  };
  for (
    const [url, prefix] of [
      ["s3://bucket", ""],
      ["s3://bucket/", ""],
      ["s3://bucket/a/b/?region=eu-west-1", "a/b/"],
      ["s3://bucket/100%25/..a", "100%/..a/"],
    ] as const
  ) {
    await t.step(`the prefix of ${url} is ${JSON.stringify(prefix)}`, () => {
      const { backup } = accept({ ...others, BACKUP_URL: url });
      assert.equal(backup?.location.kind === "s3" && backup.location.prefix, prefix);
    });
  }
});

Deno.test("readConfig() quotes no secret that a wrong value contains", () => {
  assertNotQuoted([
    ["OPERATOR_KEY", "hunter2"],
    ["OPERATOR_KEYS", "hunter2"],
    ["OPERATOR_KEYS", "ada=hunter2"],
    ["OPERATOR_KEYS", "hunter2=ada"],
    ["OPERATOR_KEYS", `ada:hunter2=${KEY}`],
    ["OPERATOR_KEYS", `hunter2=${KEY} hunter2=${KEY}x`],
    ["BASE_URL", "https://user:hunter2@example.com"],
    ["BASE_URL", "ftp://user:hunter2@example.com"],
    ["BASE_URL", "user:hunter2@example.com"],
    ["CONTACT", "http://user:hunter2@example.com/"],
    ["KV_URL", "http://user:hunter2@127.0.0.1:4512"],
    ["KV_URL", "postgres://user:hunter2@127.0.0.1"],
    ["KV_URL", "postgres://user:hunter2@host:port/database"],
    ["KV_URL", "postgres://user:hunter2%zz@host/database?sslmode=none"],
    ["KV_URL", "denokv://hunter2@127.0.0.1:4512"],
    ["KV_URL", "http://hunter2@127.0.0.1:port"],
    ["KV_URL", "postgres://ada@127.0.0.1/waitlist?hunter2"],
    ["KV_URL", "postgres://ada@127.0.0.1/waitlist?password=hunter2"],
    ["KV_URL", "postgres://ada@127.0.0.1/waitlist?sslmode=hunter2"],
    ["KV_PATH", "postgres://ada:hunter2@db.example.com/waitlist"],
    ["KV_PATH", "denokv://db.example.com/?token=hunter2"],
    ["EMBED_ORIGINS", "https://ada:hunter2@www.example.com, https://b.example"],
    ["EMBED_ORIGINS", "https://www.example.com/?token=hunter2"],
    ["BASE_URL", "https://example.com/?token=hunter2"],
    ["CONTACT", "http://example.com/?token=hunter2"],
    ["OPERATOR_KEY_FILE", "hunter2"],
    ["OPERATOR_KEY_FILE", "hunter2,and/more"],
    ["BACKUP_RECIPIENT", "age-secret-key-1hunter2"],
    ["BACKUP_RECIPIENT", '"AGE-SECRET-KEY-1hunter2"'],
    ["BACKUP_RECIPIENT", "AGE-PLUGIN-YUBIKEY-1hunter2"],
    ["BACKUP_URL", "s3://KEY:hunter2@bucket/lists"],
    ["BACKUP_URL", "s3://hunter2@bucket/lists"],
    ["BACKUP_URL", "s3://KEY:hun/hunter2@bucket/lists"],
    ["BACKUP_URL", "s3://bucket/lists?secret_key=hunter2"],
    ["BACKUP_URL", "s3://bucket/lists?hunter2"],
    ["BACKUP_URL", "s3://bucket/lists#hunter2"],
    ["BACKUP_URL", "s3:bucket?secret_key=hunter2"],
    ["BACKUP_URL", "s3://bucket?endpoint=https://ada:hunter2@s3.example.com"],
    ["BACKUP_URL", "s3://bucket?endpoint=https%3A%2F%2Fada%3Ahunter2%40s3.example.com"],
    ["BACKUP_URL", "s3://bucket?endpoint=https://s3.example.com/hunter2"],
    ["BACKUP_URL", "https://ada:hunter2@s3.example.com/bucket"],
    ["BACKUP_URL", "https://s3.example.com/bucket?secret_key=hunter2"],
  ], {});
});

Deno.test("readConfig() quotes no part of a wrong value when the variable is a secret", async (t) => {
  const secrets = VARIABLE_NAMES.filter((name) => {
    const { secret }: Variable = SERVICE_VARIABLES[name];
    return secret;
  });
  assert.ok(secrets.length > 4);
  for (const name of secrets) {
    await t.step(`the variable is ${name}`, () => {
      const [fault = ""] = refuse({ [name]: "smtp://ada:tell nobody ü@host/page" });
      assert.match(fault, new RegExp(`^${name} `));
      assert.ok(!fault.includes("tell") && !fault.includes("nobody"), fault);
    });
  }
});
