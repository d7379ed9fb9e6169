/**
 * Notifies operators about trouble: by a letter to `NOTIFY_TO` and by the event `service.attention`, each at most once
 * a day. Both bypass the outbox and its pauses, because a pause may be the trouble.
 *
 * A notice lists the present problems. The rules of `attention.ts` find them, and call one problem an `Attention`.
 * @module
 */
import { type Attention, attentionToReport } from "../../shared/attention.ts";
import type { Config } from "../config/mod.ts";
import { type ConsoleTexts, describeAttention, readConsoleTexts } from "../content/mod.ts";
import { DAY, MINUTE, type Runtime } from "../runtime/mod.ts";
import { readBackups } from "../store/backup/mod.ts";
import { createLeasedWork, type Kv, type LeaseState, NOTICES } from "../store/kv/mod.ts";
import { readOverview } from "../store/people/mod.ts";
import { utcDay } from "../waitlist/mod.ts";
import { toReason } from "./reason.ts";

/** The time between two checks for trouble, in milliseconds, for all processes together. */
const CHECK_EVERY_MS = 10 * MINUTE;

/**
 * The stored value of `["notices"]`: moments in milliseconds since 1970. The names of the members are stored, so these
 * names never change.
 */
interface NoticeMoments extends LeaseState {
  /** The moment of the last check. */
  lookedAt?: number;
  /** The moment of the last notice by letter. */
  letter?: number;
  /** The moment of the last notice by event. */
  event?: number;
}

/** The content of a notice to operators. */
export interface OperatorNotice {
  /** The id of the notice. It is the same for all attempts of a UTC day. */
  id: string;
  /** The language of the letter: German if more people on the list use German than English, otherwise English. */
  lang: ConsoleTexts["lang"];
  /** Gives, for each problem, its subject and a sentence about it in the language `lang`. */
  describe: (lang: ConsoleTexts["lang"]) => { about: Attention["about"]; message: string }[];
}

/** Tries once to notify operators. Gives the reason of a failure; `undefined` for a success. */
export type Notify = (notice: OperatorNotice) => Promise<string | undefined>;

/** The ways to notify operators. */
const WAYS = ["letter", "event"] as const;

/** What {@linkcode startNotices} needs. */
export interface NoticeOptions {
  kv: Kv;
  runtime: Runtime;
  backup: Config["backup"];
  /** The ways to notify operators. A way is absent if it is not configured. */
  notifyBy: Readonly<Record<typeof WAYS[number], Notify | undefined>>;
}

/** The checks for trouble, which go on by a timer until they are closed. */
export interface NoticeWork {
  /** Checks for trouble if a check is due. */
  run: () => Promise<void>;
  /** Ends the checks; resolves once no check is running. */
  close: () => Promise<void>;
}

/** Starts to check for trouble; `undefined` if there is no way to notify operators. */
export async function startNotices(
  { kv, runtime, backup, notifyBy }: NoticeOptions,
): Promise<NoticeWork | undefined> {
  const { now, monotonic, random, log, repeat } = runtime;
  if (!WAYS.some((way) => notifyBy[way])) return undefined;
  const texts = await readConsoleTexts();
  const checkWithLease = createLeasedWork<NoticeMoments>(NOTICES, { kv, random, now, repeat });
  // The first check comes after a while, because some trouble, such as an overdue backup, ends soon after the start.
  // This moment spares reads of this process. The stored `lookedAt` spares checks after a check of another process.
  let nextCheckAt = monotonic() + CHECK_EVERY_MS;

  /** Checks for trouble, if a notice may be sent, and notifies operators. Gives the new value to store. */
  async function check(moments: NoticeMoments = {}): Promise<NoticeMoments> {
    const at = now();
    const newMoments: NoticeMoments = { ...moments, lookedAt: at };
    const dueWays = WAYS.filter((way) =>
      notifyBy[way] && havePassed(DAY, { since: moments[way], at })
    );
    const notice = dueWays.length > 0 ? await makeNotice(at) : undefined;
    if (!notice) return newMoments;
    for (const way of dueWays) {
      const error = await notifyBy[way]!(notice);
      if (error === undefined) {
        newMoments[way] = at;
        continue;
      }
      log.warn(
        "could not send operators the notice about present problems; will send it later if the problems last",
        { way, error },
      );
    }
    return newMoments;
  }

  /** Makes the notice about the present problems; `undefined` if there are none. */
  async function makeNotice(at: number): Promise<OperatorNotice | undefined> {
    const backups = backup && await readBackups(kv, backup);
    const overview = await readOverview(kv, at);
    const problems = attentionToReport({ ...overview, ...backups && { backups } });
    if (problems.length === 0) return undefined;
    const { de = 0, en = 0 } = overview.byLang;
    return {
      id: `attention-${utcDay(at)}`,
      lang: de > en ? "de" : "en",
      describe: (lang) =>
        problems.map((problem) => {
          return { about: problem.about, message: describeAttention(problem, texts[lang]) };
        }),
    };
  }

  async function run(): Promise<void> {
    if (monotonic() < nextCheckAt) return;
    nextCheckAt = monotonic() + CHECK_EVERY_MS;
    const isDue = (moments?: NoticeMoments) =>
      havePassed(CHECK_EVERY_MS, { since: moments?.lookedAt, at: now() });
    await checkWithLease(isDue, check).catch(({ message }) =>
      log.warn(
        "could not check whether there are problems to report to operators; will check again later",
        { error: toReason(message) },
      )
    );
  }
  const checks = repeat(MINUTE, run);
  return { run, close: checks.close };
}

/**
 * Whether `ms` milliseconds have passed from the moment `since` to the moment `at`. This is also true if there is no
 * `since`, or if `since` is in the future, because only a wrong clock can have written such a moment.
 */
function havePassed(
  ms: number,
  { since, at }: { since: number | undefined; at: number },
): boolean {
  return since === undefined || since > at || at - since >= ms;
}
