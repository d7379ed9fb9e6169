/** The links of letters, as mail, chat and forum programs find them in plain text. */
import assert from "node:assert/strict";
import { Autolinker } from "autolinker";
import { LinkifyIt } from "linkify-it";
import { find } from "linkifyjs";
import { Lexer, walkTokens } from "marked";
import { DEFAULT_COLORS } from "../../../server/content/colors.ts";
import { readContent } from "../../../server/content/mod.ts";
import { createLetterWriter, type LetterValues } from "../../../server/letters/letter_texts.ts";
import { CONTENT_FOLDER } from "../../../server/site/mod.ts";
import type { Lang } from "../../../server/waitlist/record.ts";
import { createSelfServiceUrls } from "../../../server/waitlist/self_service_urls.ts";
import { invitationUrlOf, newInvitationCode } from "../../../server/waitlist/invitation_link.ts";
import { random, recordId } from "../../support/records.ts";

const BASE_URL = "https://waitlist.example.com";
const linkify = new LinkifyIt();

/** Each finds the web addresses of a text. */
const FINDERS: Record<string, (text: string) => string[]> = {
  "linkify-it": (text) => (linkify.match(text) ?? []).map(({ url }) => url),
  linkifyjs: (text) => find(text, "url").map(({ href }) => href),
  autolinker: (text) => new Autolinker().parse(text).map((match) => match.getAnchorHref()),
  marked(text) {
    const hrefs: string[] = [];
    walkTokens(Lexer.lex(text), (token) => {
      if (token.type === "link") hrefs.push(token.href);
    });
    return hrefs;
  },
};

/** Finds links to the web as each program does, without links to a mailbox. */
function* foundIn(text: string): Generator<[program: string, urls: string[]]> {
  for (const [program, find] of Object.entries(FINDERS)) {
    yield [program, find(text).filter((url) => url.startsWith("http"))];
  }
}

const urlsOf = (key = random(32)) => createSelfServiceUrls(BASE_URL, () => key);

Deno.test("Four link finders of mail and chat programs find each link of each letter in full length", async (t) => {
  const { languages } = await readContent(CONTENT_FOLDER);
  const letters = createLetterWriter({
    languages,
    siteName: "Example Company",
    contact: "mailto:hello@example.com",
    baseUrl: BASE_URL,
    unconfirmedDays: 14,
    colors: DEFAULT_COLORS,
    brand: {},
  });
  let count = 0;
  const langs = languages.map(({ lang }) => lang as Lang);
  for (const lang of langs) {
    for (const kind of ["confirmation", "invitation", "link", "test", "attention"] as const) {
      await t.step(`the letter is ${kind} in ${lang}`, () => {
        for (let n = 0; n < 20; n++) {
          const urls = urlsOf();
          const [email, id] = [`person-${n}@example.com`, recordId()];
          const values = {
            ...{ kind, id: "letter", lang, sentences: ["There is no backup yet."] },
            placeUrl: urls.pageUrl(lang, email, id),
            leaveUrl: urls.leaveUrl(email, id),
            invitationUrl: invitationUrlOf(
              "https://app.test/?code={code}",
              newInvitationCode(random),
            ),
            expiresAt: "2027-01-31T23:00:00.000Z",
            overviewUrl: `${BASE_URL}/operator/`,
          };
          const { text } = letters(values as LetterValues);
          // A bracket behind an address belongs to the sentence.
          const expected = text.match(/https:\/\/[^\s)>]+/g) ?? [];
          assert.ok(expected.length > 1, text);
          for (const [program, found] of foundIn(text)) {
            assert.deepEqual(found, expected, `${program}, ${lang}/${kind}`);
            count += found.length;
          }
        }
      });
    }
  }
  assert.ok(count > 1_000, String(count));
});

Deno.test("Four programs that find links in a text find the whole self-service link when punctuation stands beside the link", () => {
  for (let n = 0; n < 500; n++) {
    const urls = urlsOf();
    const [email, id] = [`person-${n}@example.com`, recordId()];
    const link = n % 2 === 0 ? urls.pageUrl("de", email, id) : urls.leaveUrl(email, id);
    for (
      const text of [
        link,
        `Here: ${link}`,
        `See ${link}.`,
        `See ${link}, please`,
        `Is it ${link}?`,
        `(see ${link})`,
        `"${link}"`,
        `<${link}>`,
      ]
    ) {
      for (const [program, found] of foundIn(text)) assert.deepEqual(found, [link], program + text);
    }
  }
});
