import type { Clause } from "./clause.ts";

/** security.txt. */
export const rfc9116: Clause[] = [
  {
    source: "RFC 9116 §2.5.3 MUST",
    requirement: "Contact is present, as a URI.",
    tests: ["securityTxt() gives the fields of RFC 9116 when it is made"],
  },
  {
    source: "RFC 9116 §2.5.5 MUST, RECOMMENDED",
    requirement: "Expires is present once, in the future, within a year.",
    tests: [
      "securityTxt() expires in the future and within a year when it is made at any moment",
      "discoveryDocuments() move the end of security.txt when a day has passed",
    ],
  },
  {
    source: "RFC 9116 §3 MUST",
    requirement: "It stands at /.well-known/security.txt as text/plain in UTF-8.",
    tests: ["discoveryDocuments() are answered with their media types when asked by GET"],
  },
];
