/**
 * Checks the lines of a backup one after the other: their form, their order, the counts in the last line, and the
 * checksum. `counter_check.ts` checks the counters.
 *
 * @module
 */
import { createHash } from "node:crypto";
import {
  BACKUP_COUNTED,
  BACKUP_FORMAT,
  BACKUP_ORDER,
  BACKUP_VERSIONS,
  emptyBackupCounts,
  type LineOf,
  readBackupLine,
} from "../../../shared/backup_lines.ts";
import { isInvitationLetterMissing } from "../../../shared/missing_invitation_letter.ts";
import { isNestedTooDeep } from "../../../shared/nesting.ts";
import type {
  BackupCounts,
  BackupLine,
  UnreadableRecord,
} from "../../../shared/operator_schemas.ts";
import { MAX_SLUGS, SLUG_ANSWERS } from "../../../shared/person_schema.ts";
import { BackupFault, KeptTextLimit } from "./backup_fault.ts";
import { CounterCheck } from "./counter_check.ts";

type SignUp = LineOf<"sign_up">["signUp"];

/** How many characters are shown at most of a version that this program does not know. */
const MAX_VERSION_LENGTH = 20;

/**
 * The work that a restore leaves to the operator, and the mailboxes to which no letter goes. The names of the members
 * must not change, because `--json` prints them under `owed`.
 */
export interface AfterRestore {
  /** The number of waves that are running or paused. A restore does not continue them. */
  openWaves: number;
  /**
   * The number of invitations whose letter no mail server had taken at the time of the backup. A restore does not send
   * these letters.
   */
  invitations: number;
  /** The number of mailboxes that complained about a letter. */
  complaints: number;
}

/** A backup that is whole and undamaged. */
export interface VerifiedBackup {
  createdAt: string;
  counts: BackupCounts;
  /** The SHA-256 of all bytes before the last line, in hexadecimal. */
  checksum: string;
  /** The position of the first sign-up, and the position of the end of the last sign-up, in bytes. */
  signUps: { from: number; to: number };
  /** The position of the end of the last line, in bytes. */
  size: number;
  /** The number of sign-ups in each state. */
  states: Record<string, number>;
  afterRestore: AfterRestore;
  /** The records that the backup lacks, because the service could not read them when the backup was made. */
  unreadable: UnreadableRecord[];
}

/** Checks a backup line by line. It keeps counts and names in memory, but no records of people. */
export class BackupVerifier {
  readonly #hash = createHash("sha256");
  readonly #textLimit = new KeptTextLimit();
  readonly #counterCheck = new CounterCheck(this.#textLimit);
  /** How many lines of each kind were checked, to compare with the counts in the last line. */
  readonly #counts = emptyBackupCounts();
  readonly #afterRestore: AfterRestore = { openWaves: 0, invitations: 0, complaints: 0 };
  /** How many people lack their invitation letter, by the id of the wave. */
  readonly #invitationsByWave = new Map<string, number>();
  /** The position of the first sign-up, and the position of the end of the last sign-up, in bytes. */
  readonly #signUpRange = { from: 0, to: 0 };
  readonly #unreadable: UnreadableRecord[] = [];
  /**
   * The different values of the answers `role` and `building`, because a store has room for a limited number of them.
   */
  readonly #answers = { role: new Set<string>(), building: new Set<string>() };
  #byteCount = 0;
  #lineCount = 0;
  /** Where the kind of the previous line stands in `BACKUP_ORDER`; -1 before the first line. */
  #orderPosition = -1;
  #createdAt = "";
  #verifiedBackup: VerifiedBackup | undefined;

  /** The number of checked lines. */
  get lineCount(): number {
    return this.#lineCount;
  }

  /**
   * Checks the next line, which is given without its line end.
   *
   * @throws {BackupFault} if the line is wrong
   */
  checkLine(text: string): void {
    this.#lineCount++;
    const line = this.#parseLine(text);
    this.#checkOrder(line.kind);
    this.#byteCount += new TextEncoder().encode(text).length + 1;
    if (line.kind === "end") {
      this.#verifiedBackup = this.#verifyEnd(line);
      return;
    }
    this.#hash.update(text).update("\n");
    const countName = BACKUP_COUNTED[line.kind];
    if (countName) this.#counts[countName]++;
    switch (line.kind) {
      case "header":
        this.#createdAt = line.createdAt;
        this.#resetSignUpRange();
        break;
      // The line has a person to invite by name.
      case "named":
        this.#resetSignUpRange();
        break;
      case "sign_up":
        this.#addSignUp(line.signUp);
        break;
      // The line has a letter limit.
      case "brake":
        if (line.complainedAt) this.#afterRestore.complaints++;
        break;
      case "wave":
        this.#addWave(line);
        break;
      case "unreadable":
        this.#textLimit.count(text, this.#lineCount);
        this.#unreadable.push(line.unreadable);
        break;
      case "counter":
        this.#counterCheck.addCounter(line, this.#lineCount);
        break;
    }
  }

  /**
   * Ends the check.
   *
   * @throws {BackupFault} if the last line of a backup is missing
   */
  finish(): VerifiedBackup {
    if (this.#verifiedBackup) return this.#verifiedBackup;
    if (this.#lineCount === 0) throw new BackupFault("it is empty");
    throw new BackupFault(`it ends after line ${this.#lineCount}, so its last lines are missing`);
  }

  #parseLine(text: string): BackupLine {
    const line = readBackupLine(text);
    if (line) return line;
    if (this.#lineCount > 1) {
      throw new BackupFault(`line ${this.#lineCount} is not a line of a backup`);
    }
    const version = versionOf(text);
    if (version === undefined) {
      throw new BackupFault("it is not a backup of a waitlist", {
        nextStep: "give a file that 'waitlist backup' or the service has written",
      });
    }
    const knownVersions = `${BACKUP_VERSIONS.slice(0, -1).join(", ")} and ${
      BACKUP_VERSIONS.at(-1)
    }`;
    throw new BackupFault(
      `its format has the version ${version}, but this program reads only the versions ${knownVersions}`,
      { nextStep: "use this program in the same version as the service that made the backup" },
    );
  }

  #checkOrder(kind: BackupLine["kind"]): void {
    const position = BACKUP_ORDER.indexOf(kind);
    const isInOrder = this.#lineCount === 1
      ? position === 0
      : position > 0 && position >= this.#orderPosition;
    if (!isInOrder || this.#verifiedBackup) {
      throw new BackupFault(
        `line ${this.#lineCount} is of a kind that a backup does not have at this place`,
      );
    }
    this.#orderPosition = position;
  }

  /**
   * Sets the range of the sign-ups to an empty range behind the present line. This is done for the header and for each
   * line about a person named in a wave, because all sign-ups come after these lines.
   */
  #resetSignUpRange(): void {
    this.#signUpRange.from = this.#byteCount;
    this.#signUpRange.to = this.#byteCount;
  }

  #addSignUp(signUp: SignUp): void {
    this.#signUpRange.to = this.#byteCount;
    this.#checkAnswers(signUp);
    const { wave } = signUp;
    if (wave && isInvitationLetterMissing(signUp)) {
      const invitationCount = this.#invitationsByWave.get(wave);
      if (invitationCount === undefined) this.#textLimit.count(wave, this.#lineCount);
      this.#invitationsByWave.set(wave, (invitationCount ?? 0) + 1);
    }
    this.#counterCheck.countSignUp(signUp, this.#lineCount);
  }

  #checkAnswers(signUp: SignUp): void {
    for (const name of SLUG_ANSWERS) {
      const answer = signUp[name];
      const answers = this.#answers[name];
      if (answer !== undefined) answers.add(answer);
      if (answers.size <= MAX_SLUGS) continue;
      throw new BackupFault(
        `line ${this.#lineCount} has the ${name} '${answer}', so the backup has more than ${MAX_SLUGS} different ` +
          `${name}s, but a store can have at most ${MAX_SLUGS}`,
      );
    }
  }

  /**
   * Counts the wave if it is open, and its missing invitation letters. These are known by now, because all sign-ups come
   * before the waves.
   */
  #addWave({ id, wave }: LineOf<"wave">): void {
    // The cast is needed because the schema of a wave does not give the type of `letters`.
    const { letters = true } = wave.parameters as { letters?: boolean };
    if (wave.state === "running" || wave.state === "paused") this.#afterRestore.openWaves++;
    if (letters && wave.state !== "cancelled") {
      this.#afterRestore.invitations += this.#invitationsByWave.get(id) ?? 0;
    }
  }

  /** Checks the counts and the checksum in the last line, and compares the counters of the backup with a recount. */
  #verifyEnd({ counts, sha256 }: LineOf<"end">): VerifiedBackup {
    const checksum = this.#hash.digest("hex");
    // The cast is needed because the type of `Object.entries()` loses the names of the members.
    const checkedCounts = Object.entries(this.#counts) as [keyof BackupCounts, number][];
    if (checkedCounts.some(([name, count]) => (counts[name] ?? 0) !== count)) {
      throw new BackupFault("its last line gives other numbers of records than the backup has");
    }
    if (checksum !== sha256) {
      throw new BackupFault("its checksum does not fit its lines");
    }
    this.#counterCheck.compare();
    return {
      createdAt: this.#createdAt,
      counts,
      checksum,
      signUps: this.#signUpRange,
      size: this.#byteCount,
      states: this.#counterCheck.states,
      afterRestore: this.#afterRestore,
      unreadable: this.#unreadable,
    };
  }
}

/** Returns the version in the header of a backup; `undefined` if the line is no such header. */
function versionOf(text: string): string | undefined {
  try {
    if (isNestedTooDeep(text)) return undefined;
    const { format, version } = JSON.parse(text);
    if (format === BACKUP_FORMAT) return String(version).slice(0, MAX_VERSION_LENGTH);
  } catch {
    // A line that is not JSON is no header, so the result is `undefined`.
  }
  return undefined;
}
