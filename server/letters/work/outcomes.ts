/** Logs refusals: a line for the first of a kind, and then the counts once an hour. @module */
import { HOUR, type Runtime } from "../../runtime/mod.ts";
import { aboutOf, type OutboxItem } from "../../waitlist/mod.ts";

/** The most kinds with a line of their own, as a server can make codes up. */
const MAX_KINDS = 50;

/** What a server answers with: an SMTP code, with the enhanced one if there is one (RFC 3463), or an HTTP status. */
const CODE = /^(?:HTTP \d{3}|[2-5]\d\d(?:[ -][245]\.\d{1,3}\.\d{1,3})?)(?!\d)/;

/** Makes a log of refusals. A line holds nothing of what a server said but its code. */
export function createRefusalLog({ log, monotonic }: Pick<Runtime, "log" | "monotonic">) {
  /** How many were refused since the last line that told of the kind. */
  const counts = new Map<string, number>();
  let writeAt = Infinity;

  function write(): void {
    const told = [...counts].filter(([, count]) => count > 0);
    counts.clear();
    for (const [kind] of told) counts.set(kind, 0);
    writeAt = told.length > 0 ? monotonic() + HOUR : Infinity;
    if (told.length > 0) log.warn("more was refused", { refused: Object.fromEntries(told) });
  }

  return {
    note({ message }: OutboxItem, reason?: string): void {
      if (reason === undefined) return;
      const [about, name] = aboutOf(message);
      const code = CODE.exec(reason)?.[0] ?? "no code";
      const kind = `${name} ${code}`;
      const count = counts.get(kind);
      if (count === undefined && counts.size < MAX_KINDS) {
        const what = about === "letters" ? "a letter" : "an event";
        log.warn(`${what} was refused`, { kind: name, code });
        counts.set(kind, 0);
        writeAt = Math.min(writeAt, monotonic() + HOUR);
      } else {
        const counted = count === undefined ? "others" : kind;
        counts.set(counted, (counts.get(counted) ?? 0) + 1);
      }
    },
    /** Writes the counts of an hour once it is over. Call it every second. */
    beat(): void {
      if (monotonic() >= writeAt) write();
    },
    close: write,
  };
}
