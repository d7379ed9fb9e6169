import type { Clause } from "./clause.ts";

const FORGED =
  "getWaitlistStats() answers invalid_token when the token is none that the service issues";
const OTHER_KEY =
  "getWaitlistStats() answers invalid_token when the token's signature needs another key";

/** JSON Web Token Best Current Practices. */
export const rfc8725: Clause[] = [
  {
    source: "RFC 8725 §3.1 MUST",
    requirement: "Verification takes the algorithms that it was told of and no other.",
    tests: [FORGED, OTHER_KEY],
  },
  {
    source: "RFC 8725 §3.1 MUST",
    requirement: "A key is used with one algorithm.",
    tests: [FORGED],
  },
  {
    source: "RFC 8725 §3.2 MUST NOT",
    requirement: "none is not accepted.",
    tests: [FORGED, OTHER_KEY],
  },
  {
    source: "RFC 8725 §3.3 MUST",
    requirement: "All cryptographic operations are validated; one failure rejects the token.",
    tests: ["getWaitlistStats() answers invalid_token when a valid token's text is changed"],
  },
  {
    source: "RFC 8725 §3.4, §3.6",
    requirement: "Inputs on curves are validated, and nothing is compressed before encryption.",
    neverArises: "because HS256 has no curve points, and no token is encrypted",
  },
  {
    source: "RFC 8725 §3.5 MUST",
    requirement: "Keys have enough entropy; no password is a key.",
    tests: [
      "openRootKeys() makes one random key of 256 bits when the store is empty",
      "deriveSigningKey() derives 256 bits by HKDF with SHA-256 for an environment",
    ],
  },
  {
    source: "RFC 8725 §3.7 MUST",
    requirement: "Headers and claims are UTF-8.",
    tests: ["newClient() keeps id and secret to unreserved characters whatever the bytes are"],
  },
  {
    source: "RFC 8725 §3.8 MUST",
    requirement: "The issuer is validated, and the key belongs to it; a subject is there.",
    tests: [FORGED, "deriveSigningKey() derives another key when environment or root key differ"],
  },
  {
    source: "RFC 8725 §3.9 MUST",
    requirement: "The audience is validated.",
    tests: [
      FORGED,
      "getWaitlistStats() answers invalid_token when the other environment issued the token",
    ],
  },
  {
    source: "RFC 8725 §3.10 SHOULD",
    requirement: "Received claims are not trusted: kid injects nothing, jku and x5u fetch nothing.",
    tests: [
      "verify() takes no other key for the one that a kid names",
      "getWaitlistStats() refuses a call without a KV operation when its token is not good enough",
      OTHER_KEY,
    ],
  },
  {
    source: "RFC 8725 §3.11 RECOMMENDED",
    requirement: "Tokens are typed explicitly, and the type is validated.",
    tests: [FORGED],
  },
  {
    source: "RFC 8725 §3.12 MUST",
    requirement: "Kinds of tokens have validation rules that exclude each other.",
    tests: [
      "getWaitlistStats() answers invalid_token when the other environment issued the token",
      FORGED,
    ],
  },
];
