/**
 * The lines of a backup: their order, and a schema for each kind. The service writes and restores them, and the CLI
 * checks them.
 *
 * @module
 */
import * as z from "zod";
import { CAMPAIGN_FIELDS } from "./campaigns.ts";
import { storedEmailSchema } from "./email_schema.ts";
import { LETTER_KINDS } from "./letter_kinds.ts";
import { SCHEDULE_ID, WAVE_ID } from "./name_patterns.ts";
import { isNestedTooDeep } from "./nesting.ts";
import type { AuditEntry, BackupCounts, BackupLine } from "./operator_schemas.ts";
import { personSchema, slugSchema } from "./person_schema.ts";
import { INTERVALS, TIME_OF_DAY, WEEKDAYS } from "./schedule_times.ts";
import { LANGS } from "./schemas.ts";
import { isZone } from "./zones.ts";

/** The name of the format, in the header. */
export const BACKUP_FORMAT = "waitlist-backup";

/** The version of the format that this program writes. */
export const BACKUP_VERSION = 4;

/**
 * The versions that this program reads. Version 3 has no schedules and no log of letters. Version 2 has no schedules,
 * no log of letters, no waves and no letter limits.
 */
export const BACKUP_VERSIONS = [2, 3, BACKUP_VERSION] as const;

/**
 * The kinds of lines in the order of a backup. Three kinds still have the names that an early version gave them:
 * `brake` is a letter limit, `named` is an invitee, and `place_key` is a self-service key, by which the service makes
 * and reads the tokens in links to the self-service page.
 */
export const BACKUP_ORDER: BackupLine["kind"][] = [
  "header",
  "named",
  "sign_up",
  "client",
  "erased",
  "brake",
  "erasure_key",
  "audit",
  "consent_text",
  "place_key",
  "wave",
  "schedule",
  "letter",
  "unreadable",
  "counter",
  "end",
];

/**
 * The last line of a backup has counts of the other lines by kind. For each kind that is counted, this table has the
 * name of the count.
 */
export const BACKUP_COUNTED: Partial<Record<BackupLine["kind"], keyof BackupCounts>> = {
  sign_up: "signUps",
  client: "clients",
  erased: "erasures",
  audit: "auditEntries",
  wave: "waves",
  named: "named",
  brake: "brakes",
  schedule: "schedules",
  letter: "letters",
};

/** Returns the counts of an empty backup: 0 for each kind of line that the last line of a backup counts. */
export const emptyBackupCounts = () =>
  Object.fromEntries(
    Object.values(BACKUP_COUNTED).map((name) => [name, 0]),
  ) as Required<BackupCounts>;

/** A date-time in the store: in UTC with milliseconds, so that the texts sort by time. */
const dateTimeSchema = z.iso.datetime({ precision: 3 });

/** 32 bytes in base64url: a SHA-256 digest, or a key. */
const hashSchema = z.string().regex(/^[\w-]{43}$/);

/** The latest time of a JavaScript `Date`, in milliseconds since 1970. */
const LAST_MOMENT = 8.64e15;

/** The id of an OAuth client. */
const clientIdSchema = z.string().regex(/^[\w.~-]{1,128}$/);

/** A number of people, letters or other things. */
const countSchema = z.int().min(0);

/** A SHA-256 digest in hexadecimal. */
export const checksumSchema = z.string().regex(/^[0-9a-f]{64}$/);

/** How many records of each kind a backup has. The last line of the backup has these counts. */
export const backupCountsSchema: z.ZodType<BackupCounts> = z.strictObject({
  signUps: countSchema,
  clients: countSchema,
  erasures: countSchema,
  auditEntries: countSchema,
  waves: countSchema.exactOptional(),
  named: countSchema.exactOptional(),
  brakes: countSchema.exactOptional(),
  schedules: countSchema.exactOptional(),
  letters: countSchema.exactOptional(),
});

/**
 * Makes the schema of a stored object. Unknown JSON members are allowed, because a newer version may have stored them and
 * a backup must not lose them.
 */
function storedObject<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.object(shape).catchall(z.json());
}

/** The number of confirmation letters, and what became of the last of them. */
const confirmationsSchema = z.strictObject({
  count: countSchema,
  lastAt: dateTimeSchema,
  takenAt: dateTimeSchema.exactOptional(),
});

/** The members that say what became of a letter in the outbox. */
const letterOutcomeShape = {
  putAt: dateTimeSchema,
  takenAt: dateTimeSchema.exactOptional(),
  refusedAt: dateTimeSchema.exactOptional(),
  answer: z.string().exactOptional(),
  messageId: z.string().exactOptional(),
};

/** The outcome of the last letter of a kind. */
const lastLetterSchema = storedObject(letterOutcomeShape).exactOptional();

// A record does not have these members, because the service makes them when it shows the person.
const { placeUrl: _, referrals: _count, referredBy: _code, ...person } =
  personSchema(dateTimeSchema).shape;

/** A sign-up in the store, with its address. `server/waitlist/record.ts` explains the members of a record. */
export const storedSignUpSchema = storedObject({
  id: z.string().regex(/^[\w-]{22}$/).exactOptional(),
  ...person,
  email: storedEmailSchema.refine((address) => address === address.toLowerCase()),
  confirmations: confirmationsSchema.exactOptional(),
  lastLetters: storedObject({
    confirmation: lastLetterSchema,
    invitation: lastLetterSchema,
    link: lastLetterSchema,
  })
    .exactOptional(),
  letters: z.array(dateTimeSchema).exactOptional(),
  /** When the last letter with the link to the self-service page was put into the outbox. */
  linkAt: dateTimeSchema.exactOptional(),
  corrections: z.array(
    storedObject({ at: dateTimeSchema, address: hashSchema, proof: person.proof }),
  )
    .exactOptional(),
  imported: storedObject({
    at: dateTimeSchema,
    operator: z.string().exactOptional(),
    createdAt: dateTimeSchema.exactOptional(),
    consentedAt: dateTimeSchema.exactOptional(),
  })
    .exactOptional(),
  invitationTakenAt: dateTimeSchema.exactOptional(),
  outbox: z.array(z.string()).exactOptional(),
  /** The number of the last recount of the counters that had begun before the record was last written. */
  recount: z.int().exactOptional(),
  /** The fields of the campaign whose values are counted as `other`. */
  countedAsOther: z.array(z.enum(CAMPAIGN_FIELDS)).exactOptional(),
  referrerId: z.string().exactOptional(),
  pendingReferral: storedObject({ code: z.string(), counts: z.boolean().exactOptional() })
    .exactOptional(),
});

const waveIdSchema = z.string().regex(WAVE_ID);

/** An invitee: a person whom a wave is to invite because the request for the wave named this person's address. */
export const storedInviteeSchema = z.strictObject({ email: storedEmailSchema, wave: waveIdSchema });

/** A wave in the store. */
export const storedWaveSchema = storedObject({
  parameters: storedObject({ link: z.string() }),
  salt: z.string(),
  named: countSchema.exactOptional(),
  invited: countSchema,
  startedAt: dateTimeSchema,
  state: z.enum(["running", "paused", "done", "cancelled"]).exactOptional(),
});

/** A run of a schedule in the store. */
const storedRunSchema = storedObject({
  date: z.iso.date(),
  dueAt: z.int().min(0).max(LAST_MOMENT),
});

/** A schedule of waves in the store. */
export const storedScheduleSchema = storedObject({
  parameters: storedObject({
    next: z.int().min(1),
    link: z.string(),
    every: z.enum(INTERVALS),
    weekday: z.enum(WEEKDAYS).exactOptional(),
    at: z.string().regex(TIME_OF_DAY),
    zone: z.string().refine(isZone),
    until: z.iso.date().exactOptional(),
    times: z.int().min(1).exactOptional(),
  }),
  createdAt: dateTimeSchema,
  operator: z.string(),
  state: z.enum(["running", "paused", "done", "cancelled"]),
  nextRun: storedRunSchema.exactOptional(),
  lastRun: storedRunSchema.exactOptional(),
  runs: countSchema,
});

/** An entry of the log of letters in the store: what became of a letter. */
export const storedLetterSchema = storedObject({
  letter: z.enum(LETTER_KINDS),
  ...letterOutcomeShape,
  report: storedObject({
    kind: z.enum(["bounced", "complained"]),
    at: dateTimeSchema,
    reason: z.string().exactOptional(),
  }).exactOptional(),
});

/** A letter limit in the store. `mailbox` is the hash of the limited mailbox. */
export const storedLetterLimitSchema = z.strictObject({
  mailbox: hashSchema,
  letters: z.array(dateTimeSchema),
  linkAt: dateTimeSchema.exactOptional(),
  complainedAt: dateTimeSchema.exactOptional(),
  liftedAt: dateTimeSchema.exactOptional(),
});

/** An OAuth client in the store. */
export const storedClientSchema = storedObject({
  clientId: clientIdSchema,
  name: z.string().max(100).regex(/\S/),
  scopes: z.array(z.string().max(100)).max(100),
  secrets: z.array(
    storedObject({
      digest: hashSchema,
      expiresAt: z.int().min(0).max(LAST_MOMENT).exactOptional(),
    }),
  ),
  createdAt: dateTimeSchema,
  disabled: z.boolean().exactOptional(),
});

/** An erasure mark in the store. */
export const storedErasureMarkSchema = z.strictObject({
  mark: hashSchema,
  erasedAt: dateTimeSchema,
  confirmations: confirmationsSchema.exactOptional(),
});

/** An entry of the audit log in the store. */
export const storedAuditEntrySchema: z.ZodType<AuditEntry> = storedObject({
  at: dateTimeSchema,
  id: z.string().regex(/^[\w-]{1,40}$/),
  action: z.string().regex(/^[A-Za-z0-9]{1,40}$/),
  operator: slugSchema.exactOptional(),
  requestId: z.string().regex(/^[\w-]{1,64}$/).exactOptional(),
  client_id: clientIdSchema.exactOptional(),
  address: hashSchema.exactOptional(),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).exactOptional(),
});

/** The wording of the consent, with its id. A proof of consent names the id. */
export const storedConsentTextSchema = z.strictObject({
  id: hashSchema,
  text: z.string().min(1),
  lang: z.enum(LANGS),
});

/** A record that the service could not read when it made the backup, and the reason. */
const unreadableRecordSchema = z.strictObject({
  key: z.array(z.string()),
  reason: z.string().min(1),
});

/** The schemas of the lines, one for each kind. */
const lineSchemas = [
  z.strictObject({ kind: z.literal("sign_up"), signUp: storedSignUpSchema }),
  z.strictObject({
    kind: z.literal("header"),
    format: z.literal(BACKUP_FORMAT),
    version: z.literal(BACKUP_VERSIONS),
    createdAt: dateTimeSchema,
  }),
  z.strictObject({ kind: z.literal("client"), client: storedClientSchema }),
  z.strictObject({ kind: z.literal("erasure_key"), key: z.base64url() }),
  storedErasureMarkSchema.extend({ kind: z.literal("erased") }),
  z.strictObject({ kind: z.literal("audit"), entry: storedAuditEntrySchema }),
  storedConsentTextSchema.extend({ kind: z.literal("consent_text") }),
  z.strictObject({
    kind: z.literal("place_key"),
    key: hashSchema,
    opensUntil: dateTimeSchema.exactOptional(),
  }),
  storedInviteeSchema.extend({ kind: z.literal("named") }),
  storedLetterLimitSchema.extend({ kind: z.literal("brake") }),
  z.strictObject({
    kind: z.literal("wave"),
    id: waveIdSchema,
    wave: storedWaveSchema,
    // Version 1.2 has only the first three counts.
    counts: z.strictObject({
      taken: countSchema,
      refused: countSchema,
      accepted: countSchema,
      dropped: countSchema.exactOptional(),
      cameBack: countSchema.exactOptional(),
      notSendable: countSchema.exactOptional(),
    }),
  }),
  z.strictObject({
    kind: z.literal("schedule"),
    id: z.string().regex(SCHEDULE_ID),
    schedule: storedScheduleSchema,
  }),
  z.strictObject({
    kind: z.literal("letter"),
    recordId: z.string().max(64),
    itemId: z.string().regex(/^[\w-]{1,100}$/),
    letter: storedLetterSchema,
  }),
  z.strictObject({ kind: z.literal("unreadable"), unreadable: unreadableRecordSchema }),
  z.strictObject({ kind: z.literal("counter"), counter: z.string(), count: countSchema }),
  z.strictObject({ kind: z.literal("end"), counts: backupCountsSchema, sha256: checksumSchema }),
] as const;

/** A line of a backup. */
export const backupLineSchema: z.ZodType<BackupLine> = z.discriminatedUnion("kind", lineSchemas);

/** The type of the lines of a kind. */
export type LineOf<Kind extends BackupLine["kind"]> = Extract<BackupLine, { kind: Kind }>;

/** Reads a line of a backup; `undefined` if the text is no such line. */
export function readBackupLine(text: string): BackupLine | undefined {
  if (isNestedTooDeep(text)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const parsed = backupLineSchema.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}
