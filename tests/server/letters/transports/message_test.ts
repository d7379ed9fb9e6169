import assert from "node:assert/strict";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { composeMail, createMailFolder } from "../../../../server/letters/transports/message.ts";
import { emailSchema } from "../../../../shared/email_schema.ts";
import { FROM, LETTER } from "../../../support/letters.ts";
import { makeTestFolder } from "../../../support/process.ts";

const HEADERS = [
  ...["message-id", "auto-submitted", "from", "to", "subject", "date"],
  ...["mime-version", "content-type"],
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

Deno.test("createMailFolder() writes each letter to a file that only its account may read", async () => {
  await using test = await makeTestFolder();
  const folder = join(test.path, "mail");
  const transport = createMailFolder({ folder, from: FROM, now: () => 0 });
  const answer = "written to letter-1.eml";
  assert.deepEqual(await transport.send(LETTER), { kind: "sent", answer });
  assert.equal((await transport.send({ ...LETTER, id: "letter-2" })).kind, "sent");
  // A second try of a letter leaves one file.
  assert.deepEqual(await transport.send({ ...LETTER, subject: "Again" }), { kind: "sent", answer });
  const names = Array.from(Deno.readDirSync(folder), ({ name }) => name).toSorted();
  assert.deepEqual(names, ["letter-1.eml", "letter-2.eml"]);
  assert.equal((await Deno.stat(folder)).mode! & 0o777, 0o700);
  const file = join(folder, "letter-1.eml");
  assert.equal((await Deno.stat(file)).mode! & 0o777, 0o600);
  const mail = await PostalMime.parse(await Deno.readFile(file));
  assert.equal(mail.subject, "Again");
  assert.deepEqual(mail.to, [{ name: "", address: "ada@example.com" }]);
});

Deno.test("createMailFolder() follows no link, and pauses when every account may write to the folder", async () => {
  await using test = await makeTestFolder();
  const folder = join(test.path, "mail");
  const victim = join(test.path, "victim");
  await Deno.mkdir(folder, { mode: 0o700 });
  await Deno.writeTextFile(victim, "of value");
  await Deno.symlink(victim, join(folder, `.${LETTER.id}.part`));
  const transport = createMailFolder({ folder, from: FROM, now: () => 0 });
  assert.equal((await transport.send(LETTER)).kind, "sent");
  assert.equal(await Deno.readTextFile(victim), "of value");
  await Deno.chmod(folder, 0o777);
  const outcome = await transport.send(LETTER);
  assert.equal(outcome.kind, "paused");
  assert.match("reason" in outcome ? outcome.reason : "", /MAIL_URL needs the folder .+chmod o-w/);
});

Deno.test("createMailFolder() pauses when it cannot write", async () => {
  await using test = await makeTestFolder();
  const folder = join(test.path, "mail");
  await Deno.writeTextFile(folder, "");
  const outcome = await createMailFolder({ folder, from: FROM, now: () => 0 }).send(LETTER);
  assert.equal(outcome.kind, "paused");
});
