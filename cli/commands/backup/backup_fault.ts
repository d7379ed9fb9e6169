/** The fault of a backup, and the limit for what a check keeps in memory. @module */

/** A fault of a backup. The message says what is wrong, without a full stop. */
export class BackupFault extends Error {
  override name = "BackupFault";
}

/**
 * How many characters of names are kept in memory at most. A damaged file could have any number of names. The names in
 * the backup of a list of ten years have some hundred thousand characters.
 */
const MAX_KEPT = 16 * 1024 * 1024;

/** Counts the characters of the texts that a check keeps in memory. */
export class KeptTexts {
  #characters = 0;

  /**
   * Counts a text.
   *
   * @param line the number of the line that has the text
   * @throws {BackupFault} if the texts have too many characters
   */
  add(text: string, line: number): void {
    this.#characters += text.length;
    if (this.#characters <= MAX_KEPT) return;
    throw new BackupFault(
      `line ${line} makes more counters, waves or unreadable records than any backup has; the file is damaged`,
    );
  }
}
