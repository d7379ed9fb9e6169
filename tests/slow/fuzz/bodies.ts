/** Bodies: nearly valid sign-ups and token requests, bombs, and bytes that are no text at all. @module */
import fc from "fast-check";
import { address, spoiled } from "../../support/nearly_valid.ts";
import { unicodeText } from "../../support/unicode_text.ts";

/** A body, and the media type that it is made for. */
export interface Body {
  bytes: Uint8Array;
  type: string;
}

const JSON_TYPE = "application/json";
const FORM = "application/x-www-form-urlencoded";

function body(type: string) {
  return (text: string): Body => ({ type, bytes: new TextEncoder().encode(text) });
}

/** Text that looks like what it is not, or breaks what writes it down carelessly. */
const TRICKS = [
  "",
  " ",
  "\0",
  "true",
  "__proto__",
  "constructor",
  "\r\nX-Injected: yes",
  "%0d%0aX-Injected:%20yes",
  '"><x-fuzz>',
  "=1+1",
  "\ud800",
  "\u202egro.elpmaxe",
  "ﬀ",
  "x".repeat(300),
  "x".repeat(70_000),
];

const email = fc.oneof(
  { weight: 6, arbitrary: address },
  { weight: 2, arbitrary: spoiled },
  fc.constantFrom(...TRICKS, "ada@example.com\r\nBcc: all@example.com"),
);

/** Nested far deeper than any parser wants to follow. */
function nested(depth: number, [open, close]: readonly [string, string]): string {
  return open.repeat(depth) + "1" + close.repeat(depth);
}

/** JSON texts of values; as texts, since some are no JavaScript value. */
export const jsonText: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.json({ maxDepth: 3 }) },
  { weight: 3, arbitrary: fc.constantFrom(...TRICKS).map((trick) => JSON.stringify(trick)) },
  {
    weight: 2,
    arbitrary: fc.constantFrom("1e400", "-0", "9".repeat(1_000), "1E-9999", "0x1", "01", "NaN"),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(
      fc.constantFrom(10, 1_000, 10_000, 15_000, 32_000),
      fc.constantFrom(["[", "]"] as const, ['{"a":', "}"] as const),
    ).map(([depth, brackets]) => nested(depth, brackets)),
  },
);

const jsonMember = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.tuple(fc.constant("email"), email.map((text) => JSON.stringify(text))),
  },
  { weight: 4, arbitrary: fc.constant(["consent", "true"]) },
  {
    weight: 2,
    arbitrary: fc.tuple(
      fc.constantFrom("source", "lang", "website"),
      fc.constantFrom('"hero"', '"cta"', '"de"', '"en"', '""'),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(
      fc.constantFrom("email", "consent", "source", "lang", "website", "role", ...TRICKS),
      jsonText,
    ),
  },
);

const jsonSignUp = fc.array(jsonMember, { maxLength: 6 }).map(jsonObject);

/** Good but for what else is in it, which is often nothing. */
const goodJsonSignUp = fc.tuple(email, fc.array(jsonMember, { maxLength: 2 })).map(
  ([email, further]) =>
    jsonObject([...further, ["email", JSON.stringify(email)], ["consent", "true"]]),
);

/** A text, as a name may come twice. */
function jsonObject(members: (readonly string[])[]): string {
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(",")}}`;
}

/** Values of a form's fields. */
export const formValue = fc.oneof(
  email,
  fc.constantFrom("on", "1", "true", "de", "hero", "client_credentials", "waitlist:stats:read"),
  fc.constantFrom("sandbox-public-client", "%", "%ff", "%C3%28", "+", ...TRICKS),
  unicodeText({ maxLength: 20 }),
);

const form = fc.array(
  fc.tuple(
    fc.constantFrom(
      ...["email", "consent", "lang", "source", "website"],
      ...["grant_type", "client_id", "client_secret", "scope", "?x", "__proto__"],
    ),
    fc.oneof(formValue.map(encodeText), formValue),
  ),
  { maxLength: 8 },
).map((fields) => fields.map((field) => field.join("=")).join("&"));

/** Good but for what else is in it. */
const goodFormSignUp = fc.tuple(email, fc.constantFrom("", "&lang=de", "&source=cta", "&x=1"))
  .map(([email, further]) => `email=${encodeText(email)}&consent=on${further}`);

/** What the token endpoint takes, but for a bit. */
const tokenForm = fc.tuple(
  fc.constant("grant_type=client_credentials&client_id=sandbox-public-client"),
  fc.constantFrom("&client_secret=sandbox-public-client", ""),
  fc.oneof(fc.constant(""), fc.constant("&scope=waitlist:stats:read"), form.map((f) => `&${f}`)),
).map((parts) => parts.join(""));

function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 60 }),
  fc.constantFrom(65_535, 65_536, 65_537, 70_000).map((size) => new Uint8Array(size).fill(0x20)),
  // Invalid and overlong UTF-8, UTF-16 and a byte order mark around what would be valid.
  fc.tuple(
    fc.constantFrom([0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xef, 0xbb, 0xbf], [0xff, 0xfe]),
    jsonSignUp,
  ).map(([head, text]) => Uint8Array.from([...head, ...new TextEncoder().encode(text)])),
);

/** What a sign-up may be sent with. */
export const signUpBody: fc.Arbitrary<Body> = fc.oneof(
  { weight: 3, arbitrary: goodJsonSignUp.map(body(JSON_TYPE)) },
  { weight: 1, arbitrary: jsonSignUp.map(body(JSON_TYPE)) },
  { weight: 2, arbitrary: goodFormSignUp.map(body(FORM)) },
);

/** What a token may be asked for with. */
export const tokenBody: fc.Arbitrary<Body> = tokenForm.map(body(FORM));

/** Any of them. */
export const anyBody: fc.Arbitrary<Body> = fc.oneof(
  { weight: 6, arbitrary: jsonSignUp.map(body(JSON_TYPE)) },
  { weight: 2, arbitrary: jsonText.map(body(JSON_TYPE)) },
  { weight: 3, arbitrary: form.map(body(FORM)) },
  { weight: 3, arbitrary: tokenBody },
  {
    weight: 2,
    arbitrary: fc.tuple(bytes, fc.constantFrom(JSON_TYPE, FORM))
      .map(([bytes, type]) => ({ bytes, type })),
  },
);
