/**
 * Checks the lines of a backup one after the other: their form, their order, the counts, the checksum, and the counters
 * against the sign-ups.
 *
 * @module
 */
import { createHash } from "node:crypto";
import {
  BACKUP_COUNTED,
  BACKUP_FORMAT,
  BACKUP_ORDER,
  BACKUP_VERSIONS,
  type LineOf,
  noCounts,
  readBackupLine,
} from "../../../shared/backup_lines.ts";
import { countersOf } from "../../../shared/counters.ts";
import { isNestedTooDeep } from "../../../shared/nesting.ts";
import { MAX_SLUGS, SLUG_ANSWERS } from "../../../shared/person_schema.ts";
import { isInvitationOwed } from "../../../shared/letters_owed.ts";
import type {
  BackupCounts,
  BackupLine,
  UnreadableRecord,
} from "../../../shared/operator_schemas.ts";

type SignUp = LineOf<"sign_up">["signUp"];

/** A fault of a backup. The message says what is wrong, without a full stop. */
export class BackupFault extends Error {
  override name = "BackupFault";
}

/** What a restore does not send by itself, and to how many mailboxes no letter goes. */
export interface OwedLetters {
  /** The number of waves that are running or paused. */
  openWaves: number;
  /** The number of invitations whose letter no mail server had taken. */
  invitations: number;
  /** The number of mailboxes that complained of a letter. */
  complaints: number;
}

/** A backup that is whole and undamaged. */
export interface VerifiedBackup {
  createdAt: string;
  counts: BackupCounts;
  /** The SHA-256 of all bytes before the last line, in hexadecimal. */
  checksum: string;
  /** The positions of the first sign-up and of the end of the last one, in bytes. */
  signUps: { from: number; to: number };
  /** The position of the end of the last line, in bytes. */
  size: number;
  /** The number of sign-ups in each state. */
  states: Record<string, number>;
  owed: OwedLetters;
  /** The records that the backup lacks, because they could not be read when it was made. */
  unreadable: UnreadableRecord[];
}

/**
 * The most characters of names that are kept in memory. A damaged file could have any number of names; the backup of a
 * list of ten years has some hundred thousand characters of them.
 */
const MAX_REMEMBERED = 16 * 1024 * 1024;

/** Checks a backup line by line. It keeps no records in memory. */
export class BackupVerifier {
  readonly #hash = createHash("sha256");
  readonly #counts = noCounts();
  readonly #owed: OwedLetters = { openWaves: 0, invitations: 0, complaints: 0 };
  /** The number of invitations whose letter no mail server had taken, by the id of the wave. */
  readonly #notTaken = new Map<string, number>();
  readonly #signUps = { from: 0, to: 0 };
  readonly #unreadable: UnreadableRecord[] = [];
  /** The recounted values of the counters, by name. */
  readonly #recount = new Map<string, number>();
  /** The values of the counters in the backup, by name, with the number of their line. */
  readonly #counters = new Map<string, { count: number; line: number }>();
  /** The number of characters of all names in memory. */
  #remembered = 0;
  readonly #slugs = { role: new Set<string>(), building: new Set<string>() };
  #bytes = 0;
  #place = -1;
  #lines = 0;
  #createdAt = "";
  #verified: VerifiedBackup | undefined;

  /**
   * Checks the next line, which is given without its line end.
   *
   * @throws {BackupFault} if the line is wrong
   */
  add(text: string): void {
    this.#lines++;
    const line = this.#read(text);
    const place = BACKUP_ORDER.indexOf(line.kind);
    const isInOrder = this.#lines === 1 ? place === 0 : place > 0 && place >= this.#place;
    if (!isInOrder || this.#verified) {
      throw new BackupFault(`line ${this.#lines} is out of order; the file is damaged`);
    }
    this.#place = place;
    this.#bytes += new TextEncoder().encode(text).length + 1;
    if (line.kind === "end") return this.#end(line.counts, line.sha256);

    this.#hash.update(text).update("\n");
    const counted = BACKUP_COUNTED[line.kind];
    if (counted) this.#counts[counted]++;
    switch (line.kind) {
      case "header":
        this.#createdAt = line.createdAt;
        this.#beginSignUps();
        break;
      case "named":
        this.#beginSignUps();
        break;
      case "sign_up":
        this.#addSignUp(line.signUp);
        break;
      case "brake":
        if (line.complainedAt) this.#owed.complaints++;
        break;
      case "wave":
        this.#addWave(line);
        break;
      case "unreadable":
        this.#remember(text);
        this.#unreadable.push(line.unreadable);
        break;
      case "counter":
        this.#counters.set(this.#remember(line.counter), { count: line.count, line: this.#lines });
        break;
    }
  }

  /** Notes that the sign-ups begin behind the last checked line, or later. */
  #beginSignUps(): void {
    this.#signUps.from = this.#bytes;
    this.#signUps.to = this.#bytes;
  }

  #addSignUp(signUp: SignUp): void {
    this.#signUps.to = this.#bytes;
    this.#checkAnswers(signUp);
    const { wave } = signUp;
    if (wave && isInvitationOwed(signUp)) this.#addOne(this.#notTaken, wave);
    for (const counter of countersOf(signUp)) this.#addOne(this.#recount, counter.join("/"));
  }

  /** Adds one to the count of a name. */
  #addOne(counts: Map<string, number>, name: string): void {
    if (!counts.has(name)) this.#remember(name);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }

  /**
   * Counts the characters of a name, and throws a {@linkcode BackupFault} if the names in memory have too many
   * characters.
   */
  #remember(text: string): string {
    this.#remembered += text.length;
    if (this.#remembered <= MAX_REMEMBERED) return text;
    throw new BackupFault(
      `line ${this.#lines} makes more counters, waves or unreadable records than any backup has; the file is damaged`,
    );
  }

  #checkAnswers(signUp: SignUp): void {
    for (const name of SLUG_ANSWERS) {
      const slugs = this.#slugs[name];
      if (signUp[name] !== undefined) slugs.add(signUp[name]);
      if (slugs.size <= MAX_SLUGS) continue;
      throw new BackupFault(
        `line ${this.#lines} has the ${name} '${
          signUp[name]
        }', which makes more different values than the ` +
          `${MAX_SLUGS} that a store has room for; the file is damaged`,
      );
    }
  }

  #addWave({ id, wave }: LineOf<"wave">): void {
    const { letters = true } = wave.parameters as { letters?: boolean };
    if (wave.state === "running" || wave.state === "paused") this.#owed.openWaves++;
    if (letters && wave.state !== "cancelled") {
      this.#owed.invitations += this.#notTaken.get(id) ?? 0;
    }
  }

  /** The number of checked lines. */
  get lines(): number {
    return this.#lines;
  }

  /** Compares the counters with the sign-ups, and returns the number of sign-ups in each state. */
  #recountStates(): Record<string, number> {
    const kinds = new Set(Array.from(this.#counters.keys(), kindOf));
    for (const name of new Set([...this.#counters.keys(), ...this.#recount.keys()])) {
      // A kind without any counter is not compared, because backups of earlier versions lack some kinds completely.
      if (LATER_KINDS.includes(kindOf(name)) && !kinds.has(kindOf(name))) continue;
      const { count = 0, line } = this.#counters.get(name) ?? {};
      const recounted = this.#recount.get(name) ?? 0;
      if (count === recounted) continue;
      const where = line === undefined ? "it" : `line ${line}`;
      throw new BackupFault(
        `${where} counts ${count} for ${name}, but the backup has ${recounted} such sign-ups; the file is damaged`,
      );
    }
    const states = [...this.#recount].filter(([name]) => name.startsWith("byState/"));
    return Object.fromEntries(
      states.map(([name, count]) => [name.slice("byState/".length), count]),
    );
  }

  /**
   * Ends the check.
   *
   * @throws {BackupFault} if the last line of a backup is missing
   */
  finish(): VerifiedBackup {
    if (this.#verified) return this.#verified;
    if (this.#lines === 0) throw new BackupFault("it is empty");
    throw new BackupFault(`it ends after line ${this.#lines}, and its last lines are missing`);
  }

  #read(text: string): BackupLine {
    const line = readBackupLine(text);
    if (line) return line;
    if (this.#lines > 1) {
      throw new BackupFault(`line ${this.#lines} is not a line of a backup; the file is damaged`);
    }
    const version = versionOf(text);
    if (version === undefined) throw new BackupFault("it is not a backup of a waitlist");
    throw new BackupFault(
      `it has version ${version}, and this program reads the versions ${
        BACKUP_VERSIONS.join(", ").replace(/, (?=\d+$)/, " and ")
      }; use the program that made it`,
    );
  }

  #end(counts: BackupCounts, sha256: string): void {
    const checksum = this.#hash.digest("hex");
    const counted = Object.entries(this.#counts) as [keyof BackupCounts, number][];
    if (counted.some(([key, count]) => (counts[key] ?? 0) !== count)) {
      throw new BackupFault("its last line counts other numbers of lines; the file is damaged");
    }
    if (checksum !== sha256) {
      throw new BackupFault("its checksum does not fit its lines; the file is damaged");
    }
    this.#verified = {
      size: this.#bytes,
      states: this.#recountStates(),
      createdAt: this.#createdAt,
      counts,
      checksum,
      signUps: this.#signUps,
      owed: this.#owed,
      unreadable: this.#unreadable,
    };
  }
}

/** Returns the version in the header of a backup; `undefined` if the line is no such header. */
function versionOf(text: string): string | undefined {
  try {
    if (isNestedTooDeep(text)) return undefined;
    const { format, version } = JSON.parse(text);
    if (format === BACKUP_FORMAT) return String(version).slice(0, 20);
  } catch {
    // A line that is not JSON is no header, so that the result is `undefined`.
  }
  return undefined;
}

/** The kinds of counters that backups of earlier versions lack. */
const LATER_KINDS = ["withAnswers", "wentOn", "withMark", "withReferral"];

const kindOf = (counter: string) => counter.split("/")[0]!;
