import assert from "node:assert/strict";
import PostalMime from "postal-mime";
import { composeMail } from "../../../../server/letters/transports/smtp.ts";
import { emailSchema } from "../../../../shared/email_schema.ts";
import { FROM, LETTER } from "../../../support/letters.ts";

/** The names of all headers of a message, in their order. */
const HEADERS = [
  "message-id",
  "auto-submitted",
  "from",
  "to",
  "subject",
  "date",
  "mime-version",
  "content-type",
];

/** Composes a letter that differs from {@linkcode LETTER}, and reads its headers with another library. */
async function compose(changes: Partial<typeof LETTER> = {}, from = FROM) {
  const raw = await composeMail({ ...LETTER, ...changes }, from, 0);
  const mail = await PostalMime.parse(raw);
  assert.deepEqual(mail.headers.map(({ key }) => key), HEADERS, raw.toString());
  return { mail, raw: raw.toString() };
}

Deno.test("composeMail() makes text and HTML alternatives when it composes a letter", async () => {
  const { mail, raw } = await compose({ text: "Grüße\n", html: "<p>Grüße</p>\n" });
  assert.match(raw, /\r\nContent-Type: multipart\/alternative;/);
  assert.equal(mail.text?.trim(), "Grüße");
  assert.equal(mail.html?.trim(), "<p>Grüße</p>");
  assert.equal(mail.messageId, "<letter-1@example.com>");
  assert.equal(mail.date, "1970-01-01T00:00:00.000Z");
  assert.doesNotMatch(raw, /[^\r]\n/);
});

Deno.test("composeMail() keeps addresses whole when they have every character that is accepted", async () => {
  const addresses = [
    ..."!#$%&'*+/=?^_`{|}~-".split("").map((character) => `a${character}b@example.com`),
    "a.b.c@sub.example.com",
    `${"x".repeat(64)}@example.com`,
  ];
  for (const to of addresses) {
    assert.ok(emailSchema.safeParse(to).success, to);
    const { mail } = await compose({ to });
    assert.deepEqual(mail.to, [{ name: "", address: to }]);
  }
});

Deno.test("composeMail() adds no header when an address, a name or a subject has line ends", async () => {
  for (const end of ["\r\n", "\n", "\r", "\u2028", "\u2029", "\u0085", "\v", "\f", "\0"]) {
    const eve = `${end}Bcc: eve@example.com${end}${end}<p>`;
    await compose({ subject: `Hello${eve}` });
    await compose({ to: `ada@example.com${eve}` });
    await compose({}, { name: `Company${eve}`, address: "hello@example.com" });
    await compose({ headers: { ...LETTER.headers, "Auto-Submitted": `auto-generated${eve}` } });
  }
});

Deno.test("composeMail() keeps one sender and one recipient when names have quotes, commas and brackets", async () => {
  for (const name of ['"Eve" <eve@example.com>', "a, b", "Söhne; (c) <d>"]) {
    const { mail } = await compose({ subject: name }, { name, address: "hello@example.com" });
    assert.deepEqual(mail.from, { name, address: "hello@example.com" });
    assert.deepEqual(mail.to, [{ name: "", address: "ada@example.com" }]);
    assert.equal(mail.subject, name);
  }
});
