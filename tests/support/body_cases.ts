/** The bodies of the operator's operations: what each field may hold or nearly so. @module */
import fc from "fast-check";
import document from "../../shared/generated/operator.json" with { type: "json" };
import { ahead, answer, count, dateTime, email } from "./body_fields.ts";
import { mostly, ofAddress, ofCode, slug } from "./body_fields.ts";
import { unicodeText } from "./unicode_text.ts";

const { schemas } = document.components;

/** The values of each field. */
export type Fields = Record<string, fc.Arbitrary<unknown>>;

/** An operation, and what its body may hold or nearly so. */
export interface Case {
  operation: string;
  path: string;
  schema: keyof typeof schemas;
  fields: Fields;
  /** Whether an answer says that the body was taken, whatever came of it. */
  takes?: (answer: Response) => Promise<boolean>;
  /** JSON Schema of what the document says in words alone. */
  inWords?: Record<string, unknown>;
  /** Of these fields, a body has exactly one, as the document says in words. */
  oneOf?: string[];
}

const COUNTS = { signUps: 2, clients: 1, erasures: 0, auditEntries: 0 };

/** The members that say which people a list or an export is about. */
const selection: Fields = {
  state: answer("unconfirmed", "waiting", "invited", "accepted"),
  mark: answer("undeliverable", "complained"),
  search: mostly(["abc", "A@b", "a".repeat(254)], ["", "ab", "a".repeat(255), 1]),
  lang: answer("en", "de"),
  source: answer("hero", "cta"),
  wave: mostly(["a", "A_b-c-1", "w".repeat(64)], ["w".repeat(65), "a.b", "a b"]),
};

/** All operations whose bodies have fields, and one of those that take nothing. */
export const CASES: Case[] = [
  {
    operation: "createClient",
    path: "/clients",
    schema: "RequestedClient",
    fields: {
      name: fc.oneof(
        fc.constantFrom<unknown>("CI", "Über uns", "", " ", "\u00a0", "\n", 7, null),
        unicodeText(),
        fc.tuple(fc.integer({ min: 98, max: 101 }), fc.constantFrom("n", "é", "😀"))
          .map(([length, character]) => character.repeat(length)),
      ),
      scopes: fc.constantFrom<unknown>(
        ...[[], ["waitlist:stats:read"], ["waitlist:stats:read", "waitlist:stats:read"]],
        ...[["x"], [1], "waitlist:stats:read", {}, null],
      ),
    },
  },
  {
    operation: "rotateClient",
    path: "/clients/nobody/rotate",
    schema: "SecretRotation",
    fields: {
      overlapSeconds: fc.oneof(
        count,
        fc.integer({ min: -3, max: 7_776_003 }),
        fc.constantFrom(7_776_000, 7_776_001, 1e300, 2 ** 53),
      ),
    },
  },
  {
    operation: "showSignup",
    path: "/signups/show",
    ...ofAddress,
    schema: "ShowRequest",
    oneOf: ["email", "id"],
    fields: {
      ...ofAddress.fields,
      id: mostly(["a", "a".repeat(64)], ["", "a".repeat(65), 1]),
      export: fc.constantFrom<unknown>(true, false, null, "true"),
    },
  },
  { operation: "eraseSignup", path: "/signups/erase", ...ofAddress },
  {
    operation: "correctSignup",
    path: "/signups/correct",
    schema: "CorrectionRequest",
    fields: { ...ofAddress.fields, newEmail: ofAddress.fields.email },
    inWords: { ...ofAddress.inWords, newEmail: ofAddress.inWords.email },
    // The document says in words that the addresses differ.
    takes: async (answer) =>
      answer.status !== 400 || (await answer.json()).message.includes("are the same address"),
  },
  {
    operation: "exportSignups",
    path: "/signups/export",
    schema: "ExportRequest",
    fields: {
      ...selection,
      since: dateTime,
      after: fc.oneof(
        unicodeText(),
        fc.constantFrom<unknown>("a".repeat(254), "a".repeat(255), 1, null),
      ),
      startedAt: dateTime,
    },
  },
  {
    operation: "startWave",
    path: "/waves",
    schema: "WaveRequest",
    fields: {
      wave: answer("a", "A_b-c-1", "w".repeat(64), "w".repeat(65), "a.b", "a b"),
      next: fc.constantFrom<unknown>(1, 2, 1_000_000, 1, 2, 3, 0, 0.5, "1", null),
      link: fc.oneof(
        { arbitrary: fc.constant("https://a.example/{code}"), weight: 8 },
        fc.constantFrom<unknown>(`https://a/${"a".repeat(2_000)}`, 1, null),
      ),
      // With letters, it is refused by another status, as there is no mail.
      letters: fc.constantFrom<unknown>(true, false, true, false, "false"),
      lang: fc.constantFrom<unknown>("en", "de", "en", "de", "fr"),
      expires: ahead,
    },
    inWords: { next: { type: "integer" } },
  },
  {
    operation: "createSchedule",
    path: "/schedules",
    schema: "ScheduleRequest",
    fields: {
      id: mostly(["a", "A_b-c-1", "w".repeat(53)], ["w".repeat(54), "a.b", "", 1, null]),
      next: mostly([1, 2, 1_000_000], [0, 0.5, "1", null]),
      link: mostly(["https://a.example/{code}"], [`https://a/${"a".repeat(2_000)}`, 1, null]),
      // With letters, it is refused by another status, as there is no mail.
      letters: mostly([false], ["false", null]),
      role: slug,
      expiresAfterDays: mostly([1, 3_650], [0, 3_651, 1.5, "1", null]),
      every: mostly(["day", "week"], ["month", "", 1, null]),
      weekday: mostly(["monday", "sunday"], ["Monday", "", 1, null]),
      at: mostly(["09:00", "00:00", "23:59"], ["24:00", "9:00", "09:60", "09:00:00", 9, null]),
      zone: mostly(["Europe/Berlin", "UTC"], ["z".repeat(65), 1, null]),
      until: mostly(["2026-12-31", "2028-02-29"], ["2027-02-29", "2026-12-31T00:00:00Z", 1, null]),
      times: mostly([1, 7], [0, 0.5, "1", null]),
    },
    inWords: { next: { type: "integer" }, times: { type: "integer" } },
  },
  {
    operation: "checkInvitation",
    path: "/invitations/check",
    schema: "InvitationCheck",
    ...ofCode,
  },
  {
    operation: "redeemInvitation",
    path: "/invitations/redeem",
    schema: "InvitationRedemption",
    // No half of a surrogate pair: the regular expressions of some languages cannot name it.
    inWords: { ...ofCode.inWords, reference: { not: { pattern: "\\p{Cs}" } } },
    fields: {
      ...ofCode.fields,
      reference: fc.oneof(
        { arbitrary: fc.constantFrom("user-1", "é 😀", "r".repeat(200)), weight: 8 },
        fc.constantFrom<unknown>("", "r".repeat(201), "a\n", "\ud800", "\u2028", "\u202e", 1, null),
      ),
    },
  },
  {
    operation: "renewInvitation",
    path: "/invitations/renew",
    schema: "InvitationRenewal",
    inWords: ofCode.inWords,
    fields: { ...ofCode.fields, expires: ahead },
  },
  { operation: "resendInvitation", path: "/invitations/resend", ...ofAddress },
  {
    operation: "listSignups",
    path: "/signups/list",
    schema: "ListRequest",
    fields: {
      ...selection,
      order: answer("oldest", "newest"),
      withPlaceUrl: mostly([true, false], ["true"]),
      limit: mostly([1, 50, 500], [501, 0, 0.5, "1", null]),
    },
  },
  {
    operation: "countSignups",
    path: "/signups/count",
    schema: "SignupCountRequest",
    fields: selection,
  },
  {
    operation: "startJob",
    path: "/jobs",
    schema: "JobRequest",
    fields: {
      job: mostly(["a", "A_b-c-1", "w".repeat(64)], ["w".repeat(65), "a.b", "", 1, null]),
      // A reminder is refused by another status, as there is no mail.
      act: mostly(["erase"], ["invite", "", 1, null]),
      selection: fc.oneof(fc.record(selection, { requiredKeys: [] }), fc.jsonValue()),
      most: mostly([1, 2, 1_000_000], [0, 0.5, "1", null]),
    },
    inWords: { most: { type: "integer" } },
  },
  {
    operation: "eraseSignups",
    path: "/signups/erase-by-state",
    schema: "StateErasure",
    fields: {
      state: answer("unconfirmed", "waiting", "invited", "accepted"),
      before: dateTime,
      dryRun: fc.constantFrom<unknown>(true, false, null, "true"),
    },
  },
  {
    operation: "retryOutbox",
    path: "/outbox/retry",
    schema: "RetryRequest",
    fields: {
      ids: fc.constantFrom<unknown>(["abc"], ["a-_1", "b"], [], ["a/b"], ["a".repeat(101)], "abc"),
      waiting: fc.constantFrom<unknown>(true, false, 1),
    },
  },
  // Each operation that takes nothing takes it in the same way.
  { operation: "verifyCounters", path: "/counters/verify", schema: "Nothing", fields: {} },
  {
    operation: "beginRestore",
    path: "/restores",
    schema: "RequestedRestore",
    fields: {
      checksum: fc.oneof(
        { arbitrary: fc.constant("c".repeat(64)), weight: 4 },
        fc.constantFrom<unknown>("C".repeat(64), "c".repeat(63), `${"c".repeat(64)}\n`, 1, null),
      ),
      counts: fc.oneof(
        { arbitrary: fc.constant(COUNTS), weight: 4 },
        fc.record({ signUps: count, clients: count, erasures: count, auditEntries: count }, {
          requiredKeys: [],
        }),
        fc.jsonValue(),
      ),
      resume: fc.constantFrom<unknown>(true, false, true, false, null, "true"),
    },
  },
  {
    operation: "importSignups",
    path: "/signups/import",
    schema: "ImportLine",
    fields: {
      email,
      consentedAt: dateTime,
      createdAt: dateTime,
      updatedAt: dateTime,
      source: answer("hero", "cta"),
      lang: answer("en", "de"),
      role: slug,
      building: slug,
      state: answer("unconfirmed", "waiting", "invited", "accepted"),
      invitationCode: answer("", ...[19, 20, 64, 65].map((length) => "c".repeat(length)), "a b"),
      wave: answer("", "w", "w".repeat(64), "w".repeat(65), "a.b"),
    },
    takes: async (response) => (await response.json()).refused === 0,
    inWords: {
      email: ofAddress.inWords.email,
      createdAt: { anyOf: [{ enum: ["", null] }, { type: "string", format: "date-time" }] },
      updatedAt: { anyOf: [{ enum: ["", null] }, { type: "string", format: "date-time" }] },
    },
  },
];
