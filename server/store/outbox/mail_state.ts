/**
 * The state of sending letters that all processes share: the permits of each second, and the pause of all letters while
 * the mail server accepts no letters. A permit allows one letter. When the wait of a pause is over, one letter is sent
 * to find out whether the pause is over: the probe. `letters/work/` decides when letters pause. @module
 */
import { MINUTE } from "../../runtime/mod.ts";
import { CLOCK_TOLERANCE_MS } from "../../waitlist/mod.ts";
import { changeEntry, type EntryChange, findValue, type Kv, MAIL_STATE } from "../kv/mod.ts";

/** The value of the key {@linkcode MAIL_STATE}. The names of its members are stored, so they never change. */
export interface MailState {
  /**
   * The second in which permits were last taken, in seconds since 1970. Each second has a share of a minute's permits;
   * see `MailStateStore`.
   */
  second: number;
  /** The number of permits that were taken in that second. This is not a number of taken letters. */
  taken: number;
  /**
   * The pause of all letters; absent if letters are not paused. The pause is over once the mail server takes the probe.
   */
  pause?: MailPause;
  /**
   * The ids of the first letters that were refused for good since the mail server last took a letter, at most
   * {@linkcode REFUSED_IN_A_ROW}.
   */
  refused?: string[];
}

/** A pause of all letters. */
export interface MailPause {
  /**
   * The beginning of the first pause since the mail server last took a letter, in milliseconds since 1970. Earlier
   * versions of the program did not write it.
   */
  begunAt?: number;
  /** The beginning of this pause, or of the sending of the last probe, in milliseconds since 1970. */
  since: number;
  /** The end of the wait for the next probe, in milliseconds since 1970. */
  until: number;
  /** The number of pauses in a row, since the mail server last took a letter. */
  count: number;
  /** Why letters are paused, without addresses. */
  reason: string;
  /**
   * The ids of the letters whose refusals led to the pause; another letter is the probe if possible. The functions of
   * this file call this list `causedBy`; the stored name is that of earlier versions.
   */
  metBy?: string[];
  /** Whether the probe is being sent. */
  isProbed?: boolean;
}

/**
 * How far ahead of the clock a stored second may be, in seconds. A second that is further ahead came from a wrong
 * clock.
 */
const MAX_SECONDS_AHEAD = CLOCK_TOLERANCE_MS / 1_000;

/** How long the probe may take, in milliseconds. This time is longer than any attempt to send a letter. */
const PROBE_MS = 65_000;

/** How many final refusals, without a taken letter between them, pause all letters. */
export const REFUSED_IN_A_ROW = 3;

/** Changes the shared state. Each change is one commit, which checks the state that it replaces. */
export interface MailStateStore {
  /** Reads the state; `undefined` before the first letter. */
  read: () => Promise<MailState | undefined>;
  /**
   * Takes permits, each for one letter whose sending begins before the minute of `at` ends. Each second has its share
   * of a minute's permits, and unused permits of a second lapse. During the wait of a pause, there are no permits. After
   * the wait, there is one permit, for the probe.
   */
  takePermits: (
    request: {
      /** The present moment, in milliseconds since 1970. */
      at: number;
      /** How many letters all processes together send in a minute at most. */
      perMinute: number;
      /** How many letters this process could send now. */
      wantedCount: number;
    },
  ) => Promise<Permits>;
  /**
   * Pauses all letters, unless they are already paused. If the probe of a pause was being sent, begins the next pause.
   * @param pause.at the present moment, in milliseconds since 1970
   */
  pause: (pause: NewPause & { at: number }) => Promise<void>;
  /**
   * Ends the wait of a pause, so that a probe is sent now.
   * @param at the present moment, in milliseconds since 1970
   */
  endWait: (at: number) => Promise<void>;
  /**
   * Notes a final refusal.
   * @returns the ids of the first letters that were refused since the mail server last took a letter, at most
   * {@linkcode REFUSED_IN_A_ROW}
   */
  noteRefused: (id: string) => Promise<string[]>;
  /** Removes the pause and the refusals from the state, because the mail server has taken a letter. */
  resume: () => Promise<void>;
}

/** A pause that begins. */
export interface NewPause extends Pick<MailPause, "reason"> {
  /** The ids of the letters whose refusals led to the pause. */
  causedBy: string[];
  /** Gives the length of the pause, in milliseconds, by the number of pauses in a row. */
  delayOf: (count: number) => number;
}

/** The granted permits, and whether the shared state has a pause or refusals. */
export interface Permits {
  grantedCount: number;
  /**
   * The end of the permits, in milliseconds since 1970. From this moment on, the permits allow no new attempt to send
   * a letter.
   */
  validUntil: number;
  hasPause: boolean;
  /** The ids of the letters whose refusals led to the pause; empty if there is no pause. */
  causedBy: string[];
  /** Whether letters were refused for good since the mail server last took a letter, even if letters are not paused. */
  hasRefusals: boolean;
}

/** Makes the functions that change the shared state. */
export function createMailState(kv: Kv): MailStateStore {
  /** Changes the state. `decide` gives the new state, which is absent if the state stays as it is, and the result. */
  function changeWithResult<Result>(
    decide: (state: MailState) => EntryChange<MailState, Result>,
  ): Promise<Result> {
    const initial = { second: 0, taken: 0 };
    return changeEntry<MailState, Result>(kv, MAIL_STATE, (state = initial) => decide(state));
  }

  /** Changes the state. `decide` gives the new state, or `undefined` to leave the state as it is. */
  const change = (decide: (state: MailState) => MailState | undefined) =>
    changeWithResult((state) => ({ newValue: decide(state), result: undefined }));

  return {
    read: () => findValue<MailState>(kv, MAIL_STATE),

    takePermits: ({ at, perMinute, wantedCount }) =>
      changeWithResult<Permits>((state) => {
        const { pause, refused } = state;
        const freeCount = countFreePermits(state, { at, perMinute });
        // During a pause, the only letter is the probe.
        const usableCount = pause ? Math.min(1, wantedCount) : wantedCount;
        const grantedCount = Math.max(0, Math.min(usableCount, freeCount));
        const permits: Permits = {
          grantedCount,
          validUntil: endOfMinute(at),
          hasPause: pause !== undefined,
          causedBy: pause?.metBy ?? [],
          hasRefusals: refused !== undefined,
        };
        if (grantedCount === 0) return { result: permits };
        const withProbe = pause &&
          { pause: { ...pause, since: at, until: at + PROBE_MS, isProbed: true } };
        const second = secondOf(at);
        const taken = countTakenPermits(state, second) + grantedCount;
        return { newValue: { ...state, second, taken, ...withProbe }, result: permits };
      }),

    pause: ({ at, reason, causedBy, delayOf }) =>
      change((state) => {
        if (mustWait(state, at) && !state.pause?.isProbed) return undefined;
        const count = (state.pause?.count ?? 0) + 1;
        const until = at + delayOf(count);
        const begunAt = state.pause?.begunAt ?? at;
        return { ...state, pause: { begunAt, since: at, until, count, reason, metBy: causedBy } };
      }),

    endWait: (at) =>
      change(({ pause, ...state }) => {
        if (!pause) return undefined;
        const { isProbed: _, ...pauseWithoutProbe } = pause;
        // A pause of an earlier version has no `begunAt`. The probe that follows changes `since`.
        return { ...state, pause: { begunAt: pause.since, ...pauseWithoutProbe, until: at } };
      }),

    noteRefused: (id) =>
      changeWithResult((state) => {
        const ids = new Set([...state.refused ?? [], id]);
        const refused = [...ids].slice(0, REFUSED_IN_A_ROW);
        return { newValue: { ...state, refused }, result: refused };
      }),

    resume: () => change(({ pause, refused, ...state }) => pause || refused ? state : undefined),
  };
}

/** Gives the second in which a moment lies, in seconds since 1970. @param at in milliseconds since 1970 */
const secondOf = (at: number): number => Math.floor(at / 1_000);

/** Gives the end of the minute in which a moment lies. The moment and the result are in milliseconds since 1970. */
const endOfMinute = (moment: number): number => (Math.floor(moment / MINUTE) + 1) * MINUTE;

/** Gives the number of permits that were taken in a second. */
const countTakenPermits = (state: MailState, second: number): number =>
  state.second === second ? state.taken : 0;

/** Gives the number of free permits in the second of the moment `at`. @param options.at in milliseconds since 1970 */
function countFreePermits(
  state: MailState,
  { at, perMinute }: { at: number; perMinute: number },
): number {
  const second = secondOf(at);
  // Another process, whose clock is slightly ahead, has begun a later second, so this second is over for all processes.
  const isOver = state.second > second && state.second <= second + MAX_SECONDS_AHEAD;
  if (isOver || mustWait(state, at)) return 0;
  return permitsOf(second, perMinute) - countTakenPermits(state, second);
}

/** Whether the wait of a pause is not over at the moment `at`, so that no letter may be sent. */
function mustWait({ pause }: MailState, at: number): boolean {
  // A pause that begins in the future does not count, because a wrong clock began it.
  return pause !== undefined && pause.until > at && pause.since <= at + CLOCK_TOLERANCE_MS;
}

/**
 * Gives the number of permits of one second. The seconds of a minute share the limit of the minute evenly.
 * @param second the number of the second since 1970
 */
export function permitsOf(second: number, perMinute: number): number {
  const secondOfMinute = second % 60;
  return Math.floor((secondOfMinute + 1) * perMinute / 60) -
    Math.floor(secondOfMinute * perMinute / 60);
}
