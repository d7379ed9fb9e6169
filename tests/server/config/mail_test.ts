import assert from "node:assert/strict";
import { type MailTarget, senderOf } from "../../../server/config/mod.ts";
import { accept } from "../../support/config.ts";

const FROM = { MAIL_FROM: "Example Company <hello@example.com>" };
const SECRET = `whsec_${btoa("0123456789".repeat(4))}`;

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

Deno.test("readConfig() knows where letters go when MAIL_URL is right", () => {
  for (const [MAIL_URL, target] of TARGETS) {
    const { mail } = accept({ ...FROM, MAIL_TOKEN: "re_token", MAIL_URL });
    const from = { name: "Example Company", address: "hello@example.com" };
    assert.deepEqual(mail, { target, from, perMinute: 300, returnPath: undefined }, MAIL_URL);
  }
  assert.equal(accept({ MAIL_TOKEN: "re_token" }).mail, undefined);
});

Deno.test("readConfig() takes a mail provider with what proves its calls, and where bounces go", () => {
  const arn = "arn:aws:sns:us-west-2:123456789012:MyTopic";
  const secrets = { resend: SECRET, generic: SECRET, postmark: "a-long-password:x", ses: arn };
  for (const [provider, secret] of Object.entries(secrets)) {
    const { mailHook } = accept({ MAIL_HOOK: `${provider}:${secret}` });
    assert.deepEqual(mailHook, { provider, secret });
  }
  const MAIL_RETURN_PATH = "bounces@example.com";
  const { mail } = accept({ ...FROM, MAIL_URL: "smtp://127.0.0.1:25", MAIL_RETURN_PATH });
  assert.equal(mail?.returnPath, MAIL_RETURN_PATH);
});

Deno.test("readConfig() takes the name and the address of MAIL_FROM apart", () => {
  for (
    const [MAIL_FROM, name, address] of [
      ["Häuser & Söhne, Inc. <hello@example.com>", "Häuser & Söhne, Inc.", "hello@example.com"],
      ['"Example" <hello@example.com>', "Example", "hello@example.com"],
      ["hello@example.com", "", "hello@example.com"],
      ["<hello@example.com>", "", "hello@example.com"],
    ] as const
  ) {
    assert.deepEqual(accept({ MAIL_URL: "file:mail", MAIL_FROM }).mail?.from, { name, address });
  }
});

Deno.test("senderOf() is MAIL_FROM, or the site's name and hello@ where it is absent", () => {
  const site = { siteName: "Söhne", baseUrl: "http://localhost:8000" };
  const address = "hello@localhost";
  assert.deepEqual(senderOf({ from: undefined }, site), { name: "Söhne", address });
  const from = { name: "Example Company", address: "hello@example.com" };
  assert.deepEqual(senderOf({ from }, site), from);
});
