/** Request targets: what the service has, the same bent out of shape, and what it never had. @module */
import fc from "fast-check";

/** Paths below an environment's prefix. */
const API_PATHS = [
  "/api/v1",
  "/api/v1/status",
  "/api/v1/oauth/token",
  "/api/v1/waitlist",
  "/api/v1/waitlist/stats",
  "/api/waitlist",
];

const OTHER_PATHS = [
  "/",
  "/de/",
  "/developers/",
  "/thanks/",
  "/privacy",
  "/place/",
  "/place/?t=eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..AAAAAAAAAAAAAAAA.AAAA.AAAAAAAAAAAAAAAAAAAAAA",
  `/place/?t=${"0".repeat(91)}`,
  "/de/platz/?t=x",
  "/place/leave?t=x",
  "/place/confirm",
  "/place/data",
  "/openapi.json",
  "/openapi.json.md",
  "/.well-known/api-catalog",
  "/.well-known/oauth-protected-resource/api/v1",
  "/.well-known/security.txt",
  "/robots.txt",
  "/assets/site.css",
  "/operator/v1/clients",
  "/operator/",
  "/operator/sign-in/",
  "/operator/people/",
  "/api",
  "/api/",
  "/sandbox",
  "/sandbox/api/",
  "/pricing",
];

/** Ways to write a path that some servers take for another one. */
const BENDS: ((path: string) => string)[] = [
  (path) => `/${path}`,
  (path) => `${path}/`,
  (path) => path.replaceAll("/", "//"),
  (path) => `/x/..${path}`,
  (path) => `/%2e%2e${path}`,
  (path) => `/.${path}`,
  (path) => path.replace(/\/(?=[^/]*$)/, "%2f"),
  (path) => path.replace(/[a-z](?=[^a-z]*$)/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  (path) => path.toUpperCase(),
  (path) => `${path};v=1`,
  (path) => `${path}%00`,
  (path) => `${path}%0d%0aX-Injected:%20yes`,
  (path) => `${path}\\..\\..\\etc\\passwd`,
  (path) => `${path}/../../../../etc/passwd`,
  (path) => `${path}/%c0%ae%c0%ae/`,
  // Look-alikes: Cyrillic, full-width, and a division slash.
  (path) => path.replaceAll("a", "а"),
  (path) => path.replaceAll("p", "ｐ"),
  (path) => path.replaceAll("/", "∕"),
  (path) => `${path}%`,
  (path) => `${path}%zz`,
  (path) => `${path}/${"a".repeat(5_000)}`,
  (path) => `${path}/"><x-fuzz>`,
];

const knownPath = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...API_PATHS) },
  { weight: 2, arbitrary: fc.constantFrom(...API_PATHS.map((path) => `/sandbox${path}`)) },
  { weight: 2, arbitrary: fc.constantFrom(...OTHER_PATHS) },
);

const bentPath = fc.tuple(
  knownPath,
  fc.array(fc.constantFrom(...BENDS), { minLength: 1, maxLength: 3 }),
).map(([path, bends]) => bends.reduce((bent, bend) => bend(bent), path));

/** Whatever can stand between two spaces. */
const strangePath = fc.string({ unit: "grapheme", maxLength: 40 })
  .map((text) => `/${text.replace(/[\p{Cc}\s]/gu, "")}`);

const query = fc.oneof(
  { weight: 5, arbitrary: fc.constant("") },
  { weight: 1, arbitrary: fc.constantFrom("?", "?a=1&a=2", "?%", "?x=%0d%0aX-Injected:%20yes") },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...["?r=Abcdefgh12", "?r=", "?r=no-code", "?r=Abcdefgh12&r=Ijklmnop34"],
      ...["?r=%22%3E%3Cx-fuzz%3E", '?r="><x-fuzz>', "?r=Abcdefgh12&lang=de", "?R=Abcdefgh12"],
      ...["?utm_source=news&utm_campaign=%22%3E%3Cx-fuzz%3E", "?utm_medium=%00&utm_medium=a"],
    ),
  },
  { weight: 1, arbitrary: fc.webQueryParameters().map((text) => `?${text}`) },
  { weight: 1, arbitrary: fc.constantFrom('?"><x-fuzz>', "#/api/v1", "?#", "?//[/") },
);

/** The target of a request line. */
export const target: fc.Arbitrary<string> = fc.oneof(
  { weight: 12, arbitrary: fc.tuple(knownPath, query).map((parts) => parts.join("")) },
  { weight: 6, arbitrary: fc.tuple(bentPath, query).map((parts) => parts.join("")) },
  { weight: 2, arbitrary: fc.tuple(strangePath, query).map((parts) => parts.join("")) },
  { weight: 1, arbitrary: knownPath.map((path) => `http://evil.example${path}`) },
  { weight: 1, arbitrary: fc.constantFrom("*", "http://evil.example", "http://a@b:1/api/v1") },
);
