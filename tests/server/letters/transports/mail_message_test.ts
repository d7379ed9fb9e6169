import assert from "node:assert/strict";
import { composeMessage } from "../../../../server/letters/transports/mail_message.ts";
import { FROM, LETTER } from "../../../support/letters.ts";
import PostalMime from "postal-mime";
import { emailSchema } from "../../../../shared/email_schema.ts";

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
  const raw = await composeMessage({ ...LETTER, ...changes }, from, 0);
  const mail = await PostalMime.parse(raw);
  assert.deepEqual(mail.headers.map(({ key }) => key), HEADERS, raw.toString());
  return { mail, raw: raw.toString() };
}

Deno.test("composeMessage() makes a text part and an HTML part of a letter", async () => {
  const { mail, raw } = await compose({ text: "Grüße\n", html: "<p>Grüße</p>\n" });
  assert.match(raw, /\r\nContent-Type: multipart\/alternative;/);
  assert.equal(mail.text?.trim(), "Grüße");
  assert.equal(mail.html?.trim(), "<p>Grüße</p>");
  assert.equal(mail.messageId, "<letter-1@example.com>");
  assert.equal(mail.date, "1970-01-01T00:00:00.000Z");
  assert.doesNotMatch(raw, /[^\r]\n/);
});

Deno.test("composeMessage() adds the pictures of a letter as inline parts, with the content ids that the HTML uses", async () => {
  const bytes = new TextEncoder().encode("a picture");
  const part = {
    contentId: "logo@letter",
    name: "logo.png",
    contentType: "image/png",
    base64: "YSBwaWN0dXJl",
  };
  const html = '<img src="cid:logo@letter" alt="Example">\n';
  const raw = await composeMessage({ ...LETTER, html, pictureFiles: [part] }, FROM, 0);
  const { attachments, ...mail } = await PostalMime.parse(raw);
  assert.equal(mail.html?.trim(), html.trim());
  assert.equal(mail.text?.trim(), LETTER.text.trim());
  assert.deepEqual(new Uint8Array(attachments[0]!.content as ArrayBuffer), bytes);
  const found = attachments.map(({ filename, mimeType, disposition, contentId, related }) => ({
    filename,
    mimeType,
    disposition,
    contentId,
    related,
  }));
  assert.deepEqual(found, [{
    filename: "logo.png",
    mimeType: "image/png",
    disposition: "inline",
    contentId: "<logo@letter>",
    related: true,
  }]);
});

Deno.test("composeMessage() keeps a recipient's address unchanged for each character that an address may contain", async (t) => {
  const addresses = [
    ..."!#$%&'*+/=?^_`{|}~-".split("").map((character) => `a${character}b@example.com`),
    "a.b.c@sub.example.com",
    `${"x".repeat(64)}@example.com`,
  ];
  for (const to of addresses) {
    await t.step(`the address is ${to}`, async () => {
      assert.ok(emailSchema.safeParse(to).success);
      const { mail } = await compose({ to });
      assert.deepEqual(mail.to, [{ name: "", address: to }]);
    });
  }
});

Deno.test("composeMessage() begins no new header when an address, a name, a subject or a header's value contains a line break", async () => {
  for (const end of ["\r\n", "\n", "\r", "\u2028", "\u2029", "\u0085", "\v", "\f", "\0"]) {
    const eve = `${end}Bcc: eve@example.com${end}${end}<p>`;
    await compose({ subject: `Hello${eve}` });
    await compose({ to: `ada@example.com${eve}` });
    await compose({}, { name: `Company${eve}`, address: "hello@example.com" });
    await compose({ headers: { ...LETTER.headers, "Auto-Submitted": `auto-generated${eve}` } });
  }
});

Deno.test("composeMessage() keeps one sender and one recipient when the sender's name has quotes, commas or brackets", async (t) => {
  for (const name of ['"Eve" <eve@example.com>', "a, b", "Söhne; (c) <d>"]) {
    await t.step(`the name is ${name}`, async () => {
      const { mail } = await compose({ subject: name }, { name, address: "hello@example.com" });
      assert.deepEqual(mail.from, { name, address: "hello@example.com" });
      assert.deepEqual(mail.to, [{ name: "", address: "ada@example.com" }]);
      assert.equal(mail.subject, name);
    });
  }
});
