import assert from "node:assert/strict";
import type { MailTarget, ServiceVariables } from "../../../server/config/mod.ts";
import {
  accept,
  assertNotQuoted,
  assertRefused,
  refuse,
  type Refused,
} from "../../support/config.ts";

const LETTERS = { MAIL_URL: "file:mail" };
const FROM = { MAIL_FROM: "Example Company <hello@example.com>" };
const SECRET = `whsec_${btoa("0123456789".repeat(4))}`;

const REFUSED: Refused[] = [
  [
    "MAIL_URL",
    "mail.example.com",
    /'mail\.example\.com', which is not a valid smtp:, smtps:, .+ or file: a/,
  ],
  [
    "MAIL_URL",
    "smtp://localhost:70000",
    /:70000', which is not a valid smtp: address; check its host and port/,
  ],
  ["MAIL_URL", "ftp://mail.example.com", /'ftp:\/\/mail\.example\.com'/],
  ["MAIL_URL", "smtp://", /'smtp:\/\/', which names no host/],
  ["MAIL_URL", "smtp://mail.example.com/path", /only \?tls=none may follow/],
  ["MAIL_URL", "smtp://mail.example.com?tls=no", /only \?tls=none may follow/],
  ["MAIL_URL", "smtp://mail.example.com#tls=none", /only \?tls=none may follow/],
  ["MAIL_URL", "smtps://mail.example.com?tls=none", /smtps: always has TLS/],
  ["MAIL_URL", "smtp://ada@mail.example.com", /a user without a password/],
  ["MAIL_URL", "smtp://:secret@mail.example.com", /a password without a user/],
  [
    "MAIL_URL",
    "smtp://ada:100%@mail.example.com",
    /cannot be decoded; write each % in the user part as %25/,
  ],
  ["MAIL_URL", "https://ada:secret@api.example.com", /has a user part/],
  ["MAIL_URL", "http://api.example.com", /'api\.example\.com' by http:.+ must be https:/],
  ["MAIL_URL", "http://127.0.0.1.example.com", /must be https:/],
  ["MAIL_URL", "file:", /'file:'; it must name one folder, such as file:mail,/],
  ["MAIL_URL", "file:../mail", /'file:\.\.\/mail'/],
  ["MAIL_URL", "file:///var/mail", /'file:\/\/\/var\/mail'/],
  ["MAIL_URL", "file:.mail", /'file:\.mail'/],
  ["MAIL_FROM", "Example Company", /'Example Company', which has no e-mail address/],
  ["MAIL_FROM", "A <a@example.com>, B <b@example.com>", /which has no e-mail address/],
  ["MAIL_FROM", "hello@localhost", /which has no e-mail address/],
  ["MAIL_FROM", "A\r\nBcc: b@example.com <a@example.com>", /no quotes, backslashes or line ends/],
  ["MAIL_FROM", 'A "B" <a@example.com>', /no quotes, backslashes or line ends/],
  ["MAIL_FROM", `${"x".repeat(101)} <a@example.com>`, /at most 100 characters/],
  ["MAIL_TOKEN", "re token", /has a character that no bearer token has/],
  ["MAIL_PER_MINUTE", "0", /'0'; it must be a whole number from 1 to 1000000/],
  ["MAIL_PER_MINUTE", "1.5", /'1\.5'/],
  ["MAIL_RETURN_PATH", "Bounces <b@example.com>", /'Bounces <b@example\.com>', which is no e-mail/],
  ["NOTIFY_TO", "Ops <ops@example.com>", /'Ops <ops@example\.com>', which is no e-mail address/],
  ["MAIL_HOOK", "sendgrid:secret", /does not begin with a provider .+ resend, generic, postmark/],
  ["MAIL_HOOK", "constructor:x", /does not begin with a provider/],
  ["MAIL_HOOK", `resend:${SECRET.slice(6)}`, /is not whsec_ and base64/],
  ["MAIL_HOOK", "postmark:short", /is not 16 to 200 visible/],
  ["MAIL_HOOK", "ses:arn:aws:sqs:eu-west-1:123456789012:q", /is not the ARN of an SNS topic/],
  ["UNCONFIRMED_DAYS", "0", /'0'; it must be a whole number from 1 to 3650/],
  ["REMIND_AFTER_DAYS", "14", /is '14', when nobody is left whose address is not confirmed/],
  [
    "WEBHOOK_URL",
    "hooks.example.com",
    /'hooks\.example\.com', which is not a valid https: or http: address\./,
  ],
  ["WEBHOOK_URL", "http://hooks.example.com", /must be https:/],
  ["WEBHOOK_URL", "https://ada:secret@hooks.example.com", /has a user part/],
  ["WEBHOOK_SECRET", SECRET.slice(6), /is not whsec_ and base64/],
  ["WEBHOOK_SECRET", `${SECRET}!`, /is not whsec_ and base64/],
  ["WEBHOOK_SECRET", "whsec_abcde", /is not whsec_ and base64/],
  ["WEBHOOK_SECRET", `whsec_${btoa("x".repeat(23))}`, /a key of 23 bytes; it must have 24 to 64/],
  ["WEBHOOK_SECRET", `whsec_${btoa("x".repeat(65))}`, /a key of 65 bytes/],
  ["WEBHOOK_SECRET", `${SECRET} hunter2`, /is not whsec_ and base64/],
  ["WEBHOOK_SECRET", `${SECRET} ${SECRET} ${SECRET}`, /has more than two secrets/],
];

Deno.test("readConfig() names the variable, the fault and an example when a variable for letters or events has a wrong value", () => {
  assertRefused(REFUSED, { ...LETTERS, ...FROM, WEBHOOK_SECRET: SECRET });
});

Deno.test("readConfig() quotes no secret when a variable for letters or events has a wrong value", () => {
  const urls = [
    "smtp://ada:hunter2@mail.example.com/path",
    "smtp://ada:hunter2@mail.example.com:port",
    "smtp://ada:12#hunter2@mail.example.com",
    "smtp://ada:12?hunter2@mail.example.com",
    "smtp://ada:12/hunter2@mail.example.com",
    "smtps://ada:hunter2@mail.example.com?tls=none",
    "smtp://ada:hunter2%@mail.example.com",
    "smtp:ada:hunter2@mail.example.com",
    "https://ada:hunter2@api.example.com",
    "http://api.example.com/?key=hunter2",
    "https//hooks.example.com/services/hunter2",
    "hooks.example.com/services/hunter2",
    "smtp://mail.example.com?password=hunter2",
    "smtp://mail.example.com/hunter2",
    "file:../mail?key=hunter2",
    "ftp://ada:hunter2@mail.example.com",
  ];
  assertNotQuoted([
    ...urls.flatMap((url) => [["MAIL_URL", url], ["WEBHOOK_URL", url]] as const),
    ["MAIL_TOKEN", "hunter2 hunter2"],
    ["WEBHOOK_SECRET", "hunter2"],
    ["WEBHOOK_SECRET", "whsec_hunter22"],
  ], { ...LETTERS, ...FROM });
});

Deno.test("readConfig() requires the further variables that MAIL_URL, MAIL_FROM, NOTIFY_TO or WEBHOOK_URL needs", async (t) => {
  const table: [ServiceVariables, RegExp][] = [
    [
      { MAIL_URL: "smtp://localhost" },
      /^MAIL_FROM is required with MAIL_URL\. Example: MAIL_FROM=/,
    ],
    [
      { ...FROM, MAIL_URL: "https://api.example.com" },
      /^MAIL_TOKEN is required with an https: MAIL_URL\. Example: MAIL_TOKEN=/,
    ],
    [
      FROM,
      /^MAIL_URL is required with MAIL_FROM, .+; set it, or unset MAIL_FROM\. Example: MAIL_URL=/,
    ],
    [{ NOTIFY_TO: "ops@example.com" }, /^MAIL_URL is required with NOTIFY_TO, as no letter .+/],
    [
      { WEBHOOK_URL: "https://hooks.example.com" },
      /^WEBHOOK_SECRET is required with WEBHOOK_URL\./,
    ],
    [
      { MAIL_URL: "file:mail", KV_URL: "postgres://ada@127.0.0.1/waitlist" },
      /^MAIL_URL is 'file:mail', .+ no KV file with KV_URL\. Example: MAIL_URL=/,
    ],
    [
      { MAIL_URL: "file:mail", DENO_DEPLOY: "1", BASE_URL: "https://example.com" },
      /^MAIL_URL is 'file:mail', .+ no KV file on Deno Deploy\. Example: MAIL_URL=/,
    ],
  ];
  for (const [variables, fault] of table) {
    await t.step(`the variables are ${JSON.stringify(variables)}`, () => {
      const faults = refuse(variables);
      assert.equal(faults.length, 1, Deno.inspect(faults));
      assert.match(faults[0] ?? "", fault);
    });
  }
});

/** A mail server without TLS, unless told otherwise. */
const smtp = (host: string, port: number, others = {}) =>
  ({ kind: "smtp", host, port, tls: "none", ...others }) as MailTarget;
const api = (url: string): MailTarget => ({ kind: "api", url, token: "re_token" });
const STARTTLS = { tls: "starttls" };

const TARGETS: [MAIL_URL: string, target: MailTarget][] = [
  ["smtp://mail.example.com", smtp("mail.example.com", 587, STARTTLS)],
  [
    "smtp://ada%40example.com:a%3Ab%25%20%C3%B6@mail.example.com:2525/",
    smtp("mail.example.com", 2525, {
      ...STARTTLS,
      login: { user: "ada@example.com", password: "a:b% ö" },
    }),
  ],
  [
    "smtps://ada:secret@mail.example.com",
    smtp("mail.example.com", 465, {
      tls: "from_start",
      login: { user: "ada", password: "secret" },
    }),
  ],
  ["smtp://relay:25?tls=none", smtp("relay", 25)],
  ["smtp://localhost:25", smtp("localhost", 25)],
  ["smtp://127.0.0.1:25", smtp("127.0.0.1", 25)],
  ["smtp://[::1]:25", smtp("::1", 25)],
  ["smtp://127.0.0.1.example.com", smtp("127.0.0.1.example.com", 587, STARTTLS)],
  ["https://api.example.com/emails?region=eu", api("https://api.example.com/emails?region=eu")],
  ["http://127.0.0.1:8080/emails", api("http://127.0.0.1:8080/emails")],
  ["file:mail", { kind: "folder", name: "mail" }],
  ["file:letters_2.d", { kind: "folder", name: "letters_2.d" }],
];

Deno.test("readConfig() reads the kind of transport and its settings from MAIL_URL", async (t) => {
  for (const [MAIL_URL, target] of TARGETS) {
    await t.step(`MAIL_URL is ${MAIL_URL}`, () => {
      const { mail } = accept({ ...FROM, MAIL_TOKEN: "re_token", MAIL_URL });
      const from = { name: "Example Company", address: "hello@example.com" };
      assert.deepEqual(mail, { target, from, perMinute: 300, returnPath: undefined });
    });
  }
  assert.equal(accept({ MAIL_TOKEN: "re_token" }).mail, undefined);
});

Deno.test("readConfig() reads the provider and the secret of MAIL_HOOK, and the address of MAIL_RETURN_PATH", async (t) => {
  const arn = "arn:aws:sns:us-west-2:123456789012:MyTopic";
  const secrets = { resend: SECRET, generic: SECRET, postmark: "a-long-password:x", ses: arn };
  for (const [provider, secret] of Object.entries(secrets)) {
    await t.step(`the provider is ${provider}`, () => {
      const { mailHook } = accept({ MAIL_HOOK: `${provider}:${secret}` });
      assert.deepEqual(mailHook, { provider, secret });
    });
  }
  const MAIL_RETURN_PATH = "bounces@example.com";
  const { mail } = accept({ ...FROM, MAIL_URL: "smtp://127.0.0.1:25", MAIL_RETURN_PATH });
  assert.equal(mail?.returnPath, MAIL_RETURN_PATH);
});

Deno.test("readConfig() separates the name and the address of MAIL_FROM", async (t) => {
  for (
    const [MAIL_FROM, name, address] of [
      ["Häuser & Söhne, Inc. <hello@example.com>", "Häuser & Söhne, Inc.", "hello@example.com"],
      ['"Example" <hello@example.com>', "Example", "hello@example.com"],
      ["hello@example.com", "", "hello@example.com"],
      ["<hello@example.com>", "", "hello@example.com"],
    ] as const
  ) {
    await t.step(`MAIL_FROM is ${MAIL_FROM}`, () => {
      assert.deepEqual(accept({ MAIL_URL: "file:mail", MAIL_FROM }).mail?.from, { name, address });
    });
  }
});
