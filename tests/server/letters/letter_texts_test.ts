import assert from "node:assert/strict";
import { DEFAULT_COLORS } from "../../../server/content/colors.ts";
import { readContent } from "../../../server/content/mod.ts";
import { createLetterWriter, type LetterValues } from "../../../server/letters/letter_texts.ts";
import { LETTER_KINDS } from "../../../shared/letter_kinds.ts";
import { CONTENT_FOLDER } from "../../../server/site/mod.ts";
import { copyContent } from "../../support/content.ts";

const { languages } = await readContent(CONTENT_FOLDER);
const options = {
  languages,
  siteName: "Häuser & <Söhne>",
  contact: "mailto:hello@example.com",
  baseUrl: "https://waitlist.example.com",
  unconfirmedDays: 14,
  colors: DEFAULT_COLORS,
  brand: {},
};
const INVITATION = {
  kind: "invitation",
  id: "letter-1",
  lang: "en",
  placeUrl: "https://waitlist.example.com/place/?t=token.1",
  leaveUrl: "https://waitlist.example.com/place/leave?t=token.1",
  invitationUrl: "https://example.com/join?a=1&code=x",
} as const;

/** The values of a letter; all kinds take those of an invitation. */
function valuesOf(kind: string, lang: string): LetterValues {
  return { ...INVITATION, kind, lang } as LetterValues;
}

Deno.test("createLetterWriter() makes each kind of letter in each language from the built-in texts, with all values filled in", async (t) => {
  const letters = createLetterWriter(options);
  const { placeUrl, invitationUrl } = INVITATION;
  for (const { lang, home } of languages) {
    const imprint = home.path === "/" ? "/imprint/" : "/de/impressum/";
    for (const kind of LETTER_KINDS) {
      await t.step(`the letter is ${kind} in ${lang}`, () => {
        const { subject, text, html, headers } = letters(valuesOf(kind, lang));
        assert.match(subject, /Häuser & <Söhne>$|Häuser & <Söhne> \p{L}+/u);
        const withoutStyle = html.replace(/<style>.*<\/style>/s, "");
        assert.doesNotMatch(`${subject}${text}${withoutStyle}`, /[{}]|%7B/);
        assert.match(html, />Häuser &amp; &lt;Söhne&gt;<\/p>\s*<h1 /, "the name is at the top");
        assert.ok(html.includes(`<html lang="${lang}">`));
        assert.equal(headers["Content-Language"], lang);
        for (const url of [placeUrl, `${options.baseUrl}${imprint}`, "hello@example.com"]) {
          assert.ok(text.includes(url), `${lang}/${kind}: ${url}`);
          assert.ok(html.includes(url), `${lang}/${kind}: ${url}`);
        }
        const invites = kind === "invitation";
        assert.equal(text.includes(`\n${invitationUrl}\n`), invites);
        assert.equal(html.includes('href="https://example.com/join?a=1&amp;code=x"'), invites);
        assert.ok(text.split("\n").every((line) => line.length <= 72 || line.includes("https://")));
      });
    }
  }
});

Deno.test("createLetterWriter() writes the postal address below each letter, and a Reply-To header when replyTo is a mailto URL", async (t) => {
  const address = ["Häuser & <Söhne>", "Sonnenweg 1", "{{site_name}} *10115* Berlin"];
  for (const kind of [...LETTER_KINDS, "test"]) {
    await t.step(`the letter is ${kind}`, () => {
      const replyTo = "mailto:hello%2Bq@example.com?subject=Waitlist";
      const { text, html, headers } = createLetterWriter({ ...options, address, replyTo })(
        valuesOf(kind, "en"),
      );
      assert.ok(text.endsWith(`\n\n${address.join("\n")}\n`), text);
      assert.match(
        html,
        /Häuser &amp; &lt;Söhne&gt;<br>Sonnenweg 1<br>\{\{site_name\}\} \*10115\*/,
      );
      assert.equal(headers["Reply-To"], "hello+q@example.com");
    });
  }
  for (const replyTo of [undefined, "https://example.com/contact"]) {
    await t.step(`replyTo is ${replyTo}`, () => {
      const { headers } = createLetterWriter({ ...options, replyTo })(valuesOf("link", "de"));
      assert.ok(!("Reply-To" in headers));
    });
  }
});

Deno.test("createLetterWriter() lists the problems of a notice as plain text, even if a mail server's answer contains markup", async (t) => {
  const sentences = ["Reason: 535 *no* <b> {{contact}} | [x](y)", "There is no backup yet."];
  const overviewUrl = "https://waitlist.example.com/operator/";
  for (const lang of ["en", "de"]) {
    await t.step(`the language is ${lang}`, () => {
      const values = { ...INVITATION, kind: "attention", lang, sentences, overviewUrl } as const;
      const { text, html, headers } = createLetterWriter(options)(values);
      assert.ok(
        text.includes("\n- Reason: 535 *no* <b> { {contact}} | [x](y)\n- There is no"),
        text,
      );
      assert.match(
        html,
        /<ul>\n<li>Reason: 535 \*no\* &lt;b&gt; \{ \{contact\}\} \| \[x\]\(y\)<\/li>/,
      );
      assert.match(html, /href="https:\/\/waitlist\.example\.com\/operator\/"/);
      assert.deepEqual(Object.keys(headers).filter((name) => name.startsWith("List-")), []);
    });
  }
});

Deno.test("createLetterWriter() says in a confirmation letter after how many days an unconfirmed address is erased", () => {
  const say = (unconfirmedDays: number, lang: string) =>
    createLetterWriter({ ...options, unconfirmedDays })(valuesOf("confirmation", lang)).text
      .replaceAll("\n", " ");
  assert.match(say(14, "en"), /we keep the address for 14 days and then erase it/);
  assert.match(say(1, "en"), /we keep the address for 1 day and then erase it/);
  assert.match(say(14, "de"), /bleibt die Adresse noch 14 Tage gespeichert und wird dann gelöscht/);
  assert.match(say(1, "de"), /bleibt die Adresse noch 1 Tag gespeichert und wird dann gelöscht/);
});

Deno.test("createLetterWriter() writes the headers for an automatic letter and for one-click unsubscribing", () => {
  assert.deepEqual(createLetterWriter(options)(INVITATION).headers, {
    "Message-ID": "<letter-1@waitlist.example.com>",
    "Auto-Submitted": "auto-generated",
    "Content-Language": "en",
    "List-Unsubscribe": "<https://waitlist.example.com/place/leave?t=token.1>",
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  });
});

Deno.test("createLetterWriter() writes a letter in the first language when there are no letter texts in the person's language", () => {
  const letters = createLetterWriter(options);
  assert.deepEqual(letters({ ...INVITATION, lang: "fr" }), letters(INVITATION));
});

Deno.test("createLetterWriter() writes the subject on one line even if SITE_NAME has line breaks", () => {
  const siteName = "A\r\nBcc: eve@example.com\u2028B\u0085C\tD";
  const { subject } = createLetterWriter({ ...options, siteName })(INVITATION);
  assert.equal(subject, "Your place at A Bcc: eve@example.com B C D is ready");
});

Deno.test("createLetterWriter() refuses a letter's id when the id could end the Message-ID header", async (t) => {
  const letters = createLetterWriter(options);
  for (const id of ["", "a b", "a>\r\nBcc: eve@example.com", "ä"]) {
    await t.step(`the id is ${JSON.stringify(id)}`, () => {
      assert.throws(() => letters({ ...INVITATION, id }), {
        message: `The id of a letter is '${id}'`,
      });
    });
  }
});

Deno.test("createLetterWriter() fails with the name of the file when a letter or an imprint is missing", async (t) => {
  for (const file of ["en/letters/link.md", "de/imprint.md"]) {
    await t.step(`the file ${file} is missing`, async () => {
      await using copy = await copyContent();
      await Deno.remove(new URL(file, copy.folder));
      const make = async () =>
        createLetterWriter({ ...options, ...await readContent(copy.folder) });
      const message = new RegExp(`^content/${file} is missing`);
      await assert.rejects(make, { message }, file);
    });
  }
});

Deno.test("createLetterWriter() says until when an invitation holds, and omits this sentence when the invitation does not expire", () => {
  const letters = createLetterWriter(options);
  const say = (lang: string, expiresAt?: string) =>
    letters({ ...INVITATION, lang, ...expiresAt && { expiresAt } }).text.replaceAll("\n", " ");
  const until = "2027-01-31T23:00:00.000Z";
  assert.match(say("en", until), /The invitation is valid until 31 January 2027 at 23:00 UTC\./);
  assert.match(say("de", until), /Die Einladung gilt bis zum 31\. Januar 2027 um 23:00 UTC\./);
  const midnight = "2027-01-01T00:00:00.000Z";
  assert.match(say("en", midnight), /is valid until the end of 31 December 2026 \(UTC\)\./);
  assert.match(say("de", midnight), /gilt bis zum Ende des 31\. Dezember 2026 \(UTC\)\./);
  assert.doesNotMatch(say("en"), /valid until/);
});

/** A PNG of which only the header is read. */
function pngOf(width: number, height: number, byteLength = 100) {
  const bytes = new Uint8Array(byteLength);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0x89504e47);
  view.setUint32(16, width);
  view.setUint32(20, height);
  return { name: "logo.png", label: "logo.png", bytes };
}

const BRAND = {
  logo: pngOf(64, 64),
  tagline: { en: "Plans & more", de: "Pläne & mehr" },
  promise: { en: "Every change reaches everyone.", de: "Jede Änderung erreicht alle." },
  picture: {
    en: { file: pngOf(1152, 648), alt: "A plan" },
    de: { file: pngOf(1152, 648), alt: "Ein Plan" },
  },
};

Deno.test("createLetterWriter() shows the logo in each letter, and slogan, promise and picture only in an invitation", async (t) => {
  const letters = createLetterWriter({ ...options, brand: BRAND });
  for (const kind of ["confirmation", "link", "test", "invitation"]) {
    await t.step(`the letter is ${kind}`, () => {
      const { text, html, pictureFiles } = letters(valuesOf(kind, "de"));
      const invites = kind === "invitation";
      const names = pictureFiles.map(({ name, contentId }) => `${name} ${contentId}`);
      assert.deepEqual(names, [
        "logo.png logo@letter",
        ...invites ? ["picture.png picture@letter"] : [],
      ]);
      assert.match(
        html,
        /src="cid:logo@letter" alt="Häuser &amp; &lt;Söhne&gt;" width="32" height="32"/,
      );
      assert.equal(
        /src="cid:picture@letter" alt="Ein Plan" width="576" height="324"/.test(html),
        invites,
      );
      for (const [plain, marked] of [["Pläne & mehr", "Pläne &amp; mehr"], [BRAND.promise.de]]) {
        assert.equal(text.includes(plain!), invites, plain);
        assert.equal(html.includes(marked ?? plain!), invites, plain);
      }
    });
  }
});

Deno.test("createLetterWriter() leaves out a logo that is an SVG file or over 100,000 bytes, and uses letterLogo in place of an SVG logo", async (t) => {
  const svg = { name: "logo.svg", label: "logo.svg", bytes: new TextEncoder().encode("<svg/>") };
  const write = (brand: Parameters<typeof createLetterWriter>[0]["brand"]) =>
    createLetterWriter({ ...options, brand })(INVITATION);
  for (const logo of [svg, pngOf(64, 64, 100_001)]) {
    await t.step(
      logo === svg ? "the logo is an SVG file" : "the logo is over 100,000 bytes",
      () => {
        const { pictureFiles, html } = write({ logo });
        assert.deepEqual(pictureFiles, []);
        assert.doesNotMatch(html, /<img/);
      },
    );
  }
  const { pictureFiles, html } = write({ logo: svg, letterLogo: pngOf(300, 60) });
  assert.equal(pictureFiles.length, 1);
  // A wordmark shows the name itself, so that the name stands in its alternative text only.
  assert.match(
    html,
    /alt="Häuser &amp; &lt;Söhne&gt;" width="160" height="32" style="[^"]+"><\/p>/,
  );
});

Deno.test("createLetterWriter() leaves no empty line in an invitation when the brand has no slogan and no promise", () => {
  const { text, html } = createLetterWriter(options)(INVITATION);
  assert.match(text, /\nThe link contains your invitation code/);
  assert.doesNotMatch(text, /\n\n\n/);
  assert.doesNotMatch(html, /<p><\/p>|<br>\s*<br>/);
});

Deno.test("createLetterWriter() puts a hidden preheader into the HTML of confirmation letters and invitations, but into no test letter", () => {
  const write = createLetterWriter({ ...options, brand: BRAND });
  const preheader = (kind: string) =>
    /<div style="display:none[^"]*">(.*?)<\/div>/.exec(write(valuesOf(kind, "en")).html)?.[1];
  assert.equal(preheader("confirmation"), "One more step, and you are on the waitlist.");
  assert.equal(preheader("invitation"), "Thank you for waiting. Here is your invitation.");
  assert.equal(preheader("test"), undefined);
  assert.doesNotMatch(write(valuesOf("confirmation", "en")).text, /One more step/);
});

Deno.test("createLetterWriter() begins a confirmation letter with the link, and ends the letter with a note for people who did not sign up", () => {
  const { text } = createLetterWriter(options)(valuesOf("confirmation", "en"));
  const lines = text.split("\n").filter(Boolean);
  const [body = ""] = text.split("\n-- \n");
  assert.deepEqual(lines.slice(0, 3), [
    "Confirm your place at Häuser & <Söhne>",
    "Confirm my place:",
    INVITATION.placeUrl,
  ]);
  const last = body.trim().split("\n\n").at(-1);
  assert.match(last!, /^Did someone else sign up with your address\?/);
});
