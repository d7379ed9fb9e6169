import assert from "node:assert/strict";
import { senderOf } from "../../../server/config/mod.ts";
import { accept } from "../../support/config.ts";
import type { MailTarget } from "../../../server/config/mail_values.ts";

const FROM = { MAIL_FROM: "Example Company <hello@example.com>" };
const SECRET = `whsec_${btoa("0123456789".repeat(4))}`;

const TARGETS: [MAIL_URL: string, target: MailTarget][] = [
  ["smtp://mail.example.com", {
    kind: "smtp",
    host: "mail.example.com",
    port: 587,
    tls: "starttls",
  }],
  ["smtp://ada%40example.com:a%3Ab%25%20%C3%B6@mail.example.com:2525/", {
    kind: "smtp",
    host: "mail.example.com",
    port: 2525,
    tls: "starttls",
    login: { user: "ada@example.com", password: "a:b% ö" },
  }],
  ["smtps://ada:secret@mail.example.com", {
    kind: "smtp",
    host: "mail.example.com",
    port: 465,
    tls: "from_start",
    login: { user: "ada", password: "secret" },
  }],
  ["smtp://relay:25?tls=none", { kind: "smtp", host: "relay", port: 25, tls: "none" }],
  ["smtp://localhost:25", { kind: "smtp", host: "localhost", port: 25, tls: "none" }],
  ["smtp://127.0.0.1:25", { kind: "smtp", host: "127.0.0.1", port: 25, tls: "none" }],
  ["smtp://[::1]:25", { kind: "smtp", host: "::1", port: 25, tls: "none" }],
  ["smtp://127.0.0.1.example.com", {
    kind: "smtp",
    host: "127.0.0.1.example.com",
    port: 587,
    tls: "starttls",
  }],
  ["https://api.example.com/emails?region=eu", {
    kind: "api",
    url: "https://api.example.com/emails?region=eu",
    token: "re_token",
  }],
  ["http://127.0.0.1:8080/emails", {
    kind: "api",
    url: "http://127.0.0.1:8080/emails",
    token: "re_token",
  }],
  ["file:mail", { kind: "folder", name: "mail" }],
  ["file:letters_2.d", { kind: "folder", name: "letters_2.d" }],
];

Deno.test("readConfig() knows where letters go when MAIL_URL is right", () => {
  for (const [MAIL_URL, target] of TARGETS) {
    const { mail } = accept({ ...FROM, MAIL_TOKEN: "re_token", MAIL_URL });
    const from = { name: "Example Company", address: "hello@example.com" };
    assert.deepEqual(mail, { target, from, perMinute: 300 }, MAIL_URL);
  }
  assert.equal(accept({ ...FROM, MAIL_TOKEN: "re_token" }).mail, undefined);
});

Deno.test("readConfig() takes the limits, the days and the webhook when they are right", () => {
  const url = "https://hooks.example.com/a?b=c";
  const { mail, unconfirmedDays, webhook } = accept({
    MAIL_URL: "file:mail",
    MAIL_PER_MINUTE: "12000",
    UNCONFIRMED_DAYS: "1",
    WEBHOOK_URL: url,
    WEBHOOK_SECRET: SECRET,
  });
  assert.equal(mail?.perMinute, 12_000);
  assert.equal(unconfirmedDays, 1);
  assert.deepEqual(webhook, { url, secret: SECRET });
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

Deno.test("senderOf() is MAIL_FROM, or the site's name and hello@ when letters go to a folder without it", () => {
  const site = { siteName: "Söhne", baseUrl: "http://localhost:8000" };
  const address = "hello@localhost";
  assert.deepEqual(senderOf(accept({ MAIL_URL: "file:mail" }), site), { name: "Söhne", address });
  const from = { name: "Example Company", address: "hello@example.com" };
  assert.deepEqual(senderOf(accept({ MAIL_URL: "file:mail", ...FROM }), site), from);
});
