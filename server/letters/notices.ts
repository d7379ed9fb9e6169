/**
 * Tells operators of trouble: a letter to `NOTIFY_TO`, and the event `service.attention`, each once a day at most.
 * Both go past the outbox and past a pause, as these may be the trouble; what is not taken is tried at the next look.
 * @module
 */
import { type Attention, attentionToReport } from "../../shared/attention.ts";
import type { Config } from "../config/mod.ts";
import { type ConsoleTexts, describeAttention, readConsoleTexts } from "../content/mod.ts";
import { DAY, MINUTE, type Runtime } from "../runtime/mod.ts";
import { readBackups } from "../store/backup/mod.ts";
import { createLeasedWork, type Kv, type Leased, NOTICES } from "../store/kv/mod.ts";
import { readOverview } from "../store/people/mod.ts";
import { utcDay } from "../waitlist/mod.ts";
import { toReason } from "./letter.ts";

/** How often trouble is looked for, by all processes together. */
const LOOK_MS = 10 * MINUTE;

/** What `["notices"]` holds, in milliseconds since 1970: when trouble was looked for, and told of. */
interface Notices extends Leased, Partial<Record<"lookedAt" | "letter" | "event", number>> {}

/** What operators are told. */
export interface Trouble {
  /** The same for all tries of a day. */
  id: string;
  /** The language of most people on the list. */
  lang: ConsoleTexts["lang"];
  /** What it is about, each with a sentence. */
  describe: (lang: ConsoleTexts["lang"]) => { about: Attention["about"]; message: string }[];
}

/** Tries to tell; gives why that was not taken, if it was not. */
export type Tell = (trouble: Trouble) => Promise<string | undefined>;

const WAYS = ["letter", "event"] as const;

/** Starts to look for trouble where there is a way to tell of it. */
export async function startNotices(
  tellBy: Readonly<Record<typeof WAYS[number], Tell | undefined>>,
  { kv, runtime, backup }: { kv: Kv; runtime: Runtime; backup: Config["backup"] },
) {
  const { now, monotonic, random, log, repeat } = runtime;
  if (!WAYS.some((way) => tellBy[way])) return undefined;
  const texts = await readConsoleTexts();
  const lookAlone = createLeasedWork<Notices>(NOTICES, { kv, random, now, repeat });
  // What the start itself mends, such as a backup that is overdue, is no trouble.
  let lookAt = monotonic() + LOOK_MS;

  async function look(notices: Notices = {}): Promise<Notices> {
    const at = now();
    const told = { ...notices, lookedAt: at };
    const due = WAYS.filter((way) => tellBy[way] && isOver(told[way], DAY, at));
    if (due.length === 0) return told;
    const backups = backup && await readBackups(kv, backup);
    const overview = await readOverview(kv, at);
    const found = attentionToReport({ ...overview, ...backups && { backups } });
    if (found.length === 0) return told;
    const { de = 0, en = 0 } = overview.byLang;
    const trouble: Trouble = {
      id: `attention-${utcDay(at)}`,
      lang: de > en ? "de" : "en",
      describe: (lang) =>
        found.map((each) => ({ about: each.about, message: describeAttention(each, texts[lang]) })),
    };
    for (const way of due) {
      const error = await tellBy[way]!(trouble);
      if (error === undefined) told[way] = at;
      else log.warn("could not notify operators; will try again", { way, error });
    }
    return told;
  }

  async function run(): Promise<void> {
    if (monotonic() < lookAt) return;
    lookAt = monotonic() + LOOK_MS;
    const isDue = (notices?: Notices) => isOver(notices?.lookedAt, LOOK_MS, now());
    await lookAlone(isDue, look).catch(({ message }) =>
      log.warn("cannot check for trouble; will try again", {
        error: toReason(message),
      })
    );
  }
  const beats = repeat(MINUTE, run);
  return { run, close: beats.close };
}

/** Whether a time has passed since a moment; one that is still to come is of a clock that was ahead. */
function isOver(since: number | undefined, ms: number, at: number): boolean {
  return since === undefined || since > at || at - since >= ms;
}
