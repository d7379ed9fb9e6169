/**
 * Logs letters and events that were refused: one line for the first refusal of a kind, then the counts once an hour.
 * @module
 */
import { HOUR, type Runtime } from "../../runtime/mod.ts";
import { kindOfMessage, type OutboxItem } from "../../waitlist/mod.ts";

/**
 * How many kinds of refusals have counts of their own at most. A kind of letter or event and the code of an answer make
 * a kind of refusal. The number is limited, because a server can invent codes.
 */
const MAX_KINDS = 50;

/** The name under which all kinds of refusals beyond {@linkcode MAX_KINDS} are counted together. */
const OTHER_KINDS = "others";

/** The code of an answer: an HTTP status, or an SMTP reply code with or without its enhanced status code (RFC 3463). */
const CODE = /^(?:HTTP \d{3}|[2-5]\d\d(?:[ -][245]\.\d{1,3}\.\d{1,3})?)(?!\d)/;

/** The log of refused letters and events. */
export interface RefusalLog {
  /** Counts a refused item. @param reason the answer of the server, of which the log gets only the code */
  note: (item: OutboxItem, reason: string) => void;
  /** Logs the counts of the last hour when the hour is over. Call this function every second. */
  writeDue: () => void;
  /** Logs the counts that are not logged yet. */
  close: () => void;
}

/** Makes the log of refusals of one process. */
export function createRefusalLog(
  { log, monotonic }: Pick<Runtime, "log" | "monotonic">,
): RefusalLog {
  /**
   * For each kind of refusal, the number of items that were refused since the last log line about this kind. A count of
   * 0 is stored as well, because it shows that the log has a line about this kind.
   */
  const counts = new Map<string, number>();
  /** The moment at which the counts are logged, on the monotonic clock. `Infinity` while `counts` is empty. */
  let writeAt = Infinity;

  /** Logs the counts, and begins the next hour. */
  function writeCounts(): void {
    const positiveCounts = [...counts].filter(([, count]) => count > 0);
    counts.clear();
    // A kind without a refusal in the last hour is forgotten, so that its next refusal gets a line of its own again.
    for (const [refusalKind] of positiveCounts) counts.set(refusalKind, 0);
    writeAt = positiveCounts.length > 0 ? monotonic() + HOUR : Infinity;
    if (positiveCounts.length > 0) {
      const refused = Object.fromEntries(positiveCounts);
      log.warn(
        "further letters or events were refused in the last hour; 'refused' gives their number for each kind",
        { refused },
      );
    }
  }

  return {
    note({ message }, reason) {
      const [messageType, messageKind] = kindOfMessage(message);
      const code = CODE.exec(reason)?.[0] ?? "no code";
      const refusalKind = `${messageKind} ${code}`;
      const count = counts.get(refusalKind);
      if (count === undefined && counts.size < MAX_KINDS) {
        const subject = messageType === "letters" ? "a letter" : "an event";
        log.warn(`${subject} was refused`, { kind: messageKind, code });
        counts.set(refusalKind, 0);
        writeAt = Math.min(writeAt, monotonic() + HOUR);
      } else {
        const countedKind = count === undefined ? OTHER_KINDS : refusalKind;
        counts.set(countedKind, (counts.get(countedKind) ?? 0) + 1);
      }
    },
    writeDue() {
      if (monotonic() >= writeAt) writeCounts();
    },
    close: writeCounts,
  };
}
