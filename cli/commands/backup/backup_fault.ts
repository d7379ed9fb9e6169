/**
 * The error about a faulty backup, and the limit for the texts that a check of a backup keeps in memory.
 *
 * @module
 */

/** A fault of a backup. The message says what is wrong, without a full stop. */
export class BackupFault extends Error {
  override name = "BackupFault";
  /** What the user can do about a file with this fault. */
  readonly nextStep: string;

  constructor(
    message: string,
    { nextStep = "the file is damaged, so use another backup" }: { nextStep?: string } = {},
  ) {
    super(message);
    this.nextStep = nextStep;
  }
}

/**
 * The texts that a check keeps in memory have at most this number of characters together. Most of these texts are
 * names. A damaged file could have any number of names; all names in the backup of a ten-year-old list have some
 * hundred thousand characters together.
 */
const MAX_KEPT_CHARACTERS = 16 * 1024 * 1024;

/** Limits the memory of a check by counting the characters of the texts that the check keeps. */
export class KeptTextLimit {
  #characters = 0;

  /**
   * Adds the characters of a text that the check keeps in memory.
   *
   * @param line the number of the line that has the text
   * @throws {BackupFault} if the texts have too many characters
   */
  count(text: string, line: number): void {
    this.#characters += text.length;
    if (this.#characters <= MAX_KEPT_CHARACTERS) return;
    throw new BackupFault(
      `its first ${line} lines have more counters, waves or unreadable records than any backup has`,
    );
  }
}
