/**
 * Validates a line of an import, and makes the sign-up of the line. `merge_records.ts` merges the sign-up with the
 * record of its address. @module
 */
import { parseMoment } from "../../shared/moments.ts";
import { SLUG } from "../../shared/name_patterns.ts";
import { SLUG_ANSWERS } from "../../shared/person_schema.ts";
import { describeFaults } from "./import_line_faults.ts";
import { type ImportField, importLineSchema, type ValidImportLine } from "./import_line_schema.ts";
import { createAnswerFinder } from "./offered_answers.ts";

/**
 * The fields that an export has only for its readers. An import ignores these fields, because the service makes their
 * values itself.
 */
const IGNORED_FIELDS = [
  "placeUrl",
  "invitationUrl",
  "referrals",
] as const satisfies readonly ImportField[];

/** The sign-up of a line: the lower-cased address, and the other fields with their times in UTC. */
export type ImportedSignUp = Omit<ValidImportLine, typeof IGNORED_FIELDS[number]>;

/** The sign-up of a valid line, or the reasons of the refusal: sentences that never have the address in them. */
export type ImportVerdict = { imported: ImportedSignUp } | { reasons: string[] };

/** The names of those fields that hold times. All these names end in `At`. */
type TimeOf<Fields> = Extract<keyof Fields, `${string}At`>;

/** Whether a time must not be in the future (`past`), or may be any moment (`any`). */
type TimeRule = "past" | "any";

/** The times of a line. */
const LINE_TIMES: Record<TimeOf<ValidImportLine>, TimeRule> = {
  consentedAt: "past",
  createdAt: "past",
  updatedAt: "past",
  invitedAt: "past",
  expiresAt: "any",
  acceptedAt: "past",
  undeliverableAt: "past",
  complainedAt: "past",
};

/** The times of a proof of consent in a line. */
const PROOF_TIMES: Record<TimeOf<NonNullable<ValidImportLine["proof"]>>, TimeRule> = {
  requestedAt: "any",
  putAt: "any",
  takenAt: "any",
  confirmedAt: "any",
};

/** The name of a field of a line or of a proof that holds a time. */
type TimeName = keyof typeof LINE_TIMES | keyof typeof PROOF_TIMES;

/**
 * The form of a date-time in UTC with milliseconds, which needs no conversion. The check saves time, because a
 * conversion takes longer than all other work on a line.
 */
const UTC_FORM = /^.{10}T.{8}\.\d{3}Z$/;

/** Finds no answer, because no answers are offered. */
const findNoAnswer = createAnswerFinder();

/**
 * Validates a line. An optional field that is `null` or an empty text counts as absent. The name of an offered answer
 * counts as its slug.
 *
 * @param now the present moment, in milliseconds since 1970
 * @param findAnswer finds an offered answer by its name
 */
export function validateImportLine(
  text: string,
  now: number,
  findAnswer = findNoAnswer,
): ImportVerdict {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch {
    return { reasons: ["The line is not valid JSON."] };
  }
  if (typeof line !== "object" || line === null || Array.isArray(line)) {
    return { reasons: ["The line must be a JSON object with email and consentedAt."] };
  }
  const filledFields = Object.entries(line).filter(([, value]) => value !== null && value !== "");
  const fields: Record<string, unknown> = Object.fromEntries(filledFields);
  for (const name of SLUG_ANSWERS) {
    const answer = fields[name];
    // A slug stays as it is, so that an import of an exported list stores the same answers.
    if (typeof answer !== "string" || SLUG.test(answer)) continue;
    fields[name] = findAnswer(name, answer) ?? answer;
  }
  const parsed = importLineSchema.safeParse(fields);
  if (parsed.success) return toImported(parsed.data, now);
  const { issues } = parsed.error;
  // The times that the schema accepts are texts, and are checked like those of a line without faults.
  const wrong = new Set(issues.map(({ path }) => path[0]));
  const soundFields = Object.fromEntries(
    Object.entries(fields).filter(([name]) => !wrong.has(name)),
  ) as Partial<ValidImportLine>;
  return {
    reasons: [...describeFaults(issues, fields), ...convertAllTimes(soundFields, now).faults],
  };
}

/** Makes the sign-up of a line that the schema accepts, or gives the reasons why times of the line are refused. */
function toImported(line: ValidImportLine, now: number): ImportVerdict {
  const { proof } = line;
  const { utcTimes, utcTimesOfProof, faults } = convertAllTimes(line, now);
  if (faults.length > 0) return { reasons: faults };
  const imported: ValidImportLine = {
    ...line,
    ...utcTimes,
    email: line.email.toLowerCase(),
    ...proof && { proof: { ...proof, ...utcTimesOfProof } },
  };
  for (const name of IGNORED_FIELDS) delete imported[name];
  return { imported };
}

/** Converts the times of a line and of its proof of consent to UTC, and gives the reasons why times are refused. */
function convertAllTimes(line: Partial<ValidImportLine>, now: number) {
  const times = convertTimes(line, LINE_TIMES, { now });
  const proofTimes = convertTimes(line.proof ?? {}, PROOF_TIMES, { now, namePrefix: "proof." });
  return {
    utcTimes: times.utcTimes,
    utcTimesOfProof: proofTimes.utcTimes,
    faults: [...times.faults, ...proofTimes.faults],
  };
}

/**
 * Converts times to UTC, in the order of `rules`.
 *
 * @param fields the fields of the line or of the proof of consent; fields that are no times are ignored
 * @param rules the rule of each field that is a time
 * @param options.namePrefix the text that a reason puts before the name of a time, such as `proof.`
 * @returns the times in UTC, and the reasons why times are refused
 */
function convertTimes(
  fields: Partial<Record<TimeName, string>>,
  rules: Partial<Record<TimeName, TimeRule>>,
  { now, namePrefix = "" }: { now: number; namePrefix?: string },
): { utcTimes: Partial<Record<TimeName, string>>; faults: string[] } {
  const utcTimes: Partial<Record<TimeName, string>> = {};
  const faults: string[] = [];
  // The cast is needed because the type of `Object.keys()` is a list of plain strings.
  for (const name of Object.keys(rules) as TimeName[]) {
    const time = fields[name];
    if (time === undefined) continue;
    const addFault = (fault: string) =>
      faults.push(`The field ${namePrefix}${name} is '${time}', which is ${fault}.`);
    const utcTime = UTC_FORM.test(time) ? time : parseMoment(time);
    // A year with more or fewer than four digits is refused, because date-times with such years do not sort as text.
    if (rules[name] === "past" && Date.parse(time) > now) addFault("in the future");
    else if (utcTime === undefined) addFault("outside of the years 0000 to 9999 in UTC");
    else utcTimes[name] = utcTime;
  }
  return { utcTimes, faults };
}
