/**
 * The state of sending letters that all processes share: the permits of each second, and the pause of all letters while
 * the mail server accepts none. A permit allows one letter. `letters/work/` decides when letters pause. @module
 */
import { CLOCK_TOLERANCE_MS } from "../../waitlist/mod.ts";
import { changeEntry, type EntryChange, findValue, type Kv, MAIL_STATE } from "../kv/mod.ts";

/** The value of the key {@linkcode MAIL_STATE}. */
export interface MailState {
  /**
   * The second in which permits were last taken, in seconds since 1970. Each second has a share of a minute's permits;
   * see `MailStateStore`.
   */
  second: number;
  /** The number of permits that were taken in that second. */
  taken: number;
  /**
   * The pause of all letters; absent if there is none. When `until` has passed, one letter is sent to try the mail
   * server. The pause is over if the server takes this letter.
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
  /**
   * The beginning of this pause, or of the last attempt to find out whether the pause is over, in milliseconds since
   * 1970.
   */
  since: number;
  /** The moment of the next attempt, in milliseconds since 1970. */
  until: number;
  /** The number of pauses in a row, since the mail server last took a letter. */
  count: number;
  /** Why letters are paused, without addresses. */
  reason: string;
  /**
   * The ids of the letters whose refusals led to the pause. Other letters find out whether the pause is over. The
   * functions of this file call this list `causedBy`; the stored name is that of earlier versions.
   */
  metBy?: string[];
  /** Whether a letter is being sent to find out if the pause is over. */
  isProbed?: boolean;
}

/**
 * How far ahead of the clock a stored second may be, in seconds. A second that is further ahead came from a wrong
 * clock.
 */
const MAX_SECONDS_AHEAD = CLOCK_TOLERANCE_MS / 1_000;

/**
 * How long a letter may take to find out whether a pause is over, in milliseconds. This time is longer than any attempt
 * to send a letter.
 */
const PROBE_MS = 65_000;

/** How many final refusals, without a taken letter between them, pause all letters. */
export const REFUSED_IN_A_ROW = 3;

/** Changes the shared state. Each change is one commit, which checks the state that it replaces. */
export interface MailStateStore {
  /** Reads the state; `undefined` before the first letter. */
  read: () => Promise<MailState | undefined>;
  /**
   * Takes permits, each for one letter whose sending begins before the minute of `at` ends. Each second has its share
   * of a minute's permits, and unused permits of a second lapse. Before the `until` of a pause, there are no permits.
   * After it, there is one permit, for the letter that finds out whether the pause is over.
   */
  takePermits: (
    request: {
      /** The present moment, in milliseconds since 1970. */
      at: number;
      /** How many letters all processes together send in a minute at most. */
      perMinute: number;
      wanted: number;
    },
  ) => Promise<Permits>;
  /**
   * Pauses all letters, unless they are already paused. If a letter was being sent to find out whether a pause is over,
   * begins the next pause.
   */
  pause: (
    pause: {
      /** The present moment, in milliseconds since 1970. */
      at: number;
      reason: string;
      /** The ids of the letters whose refusals led to the pause. */
      causedBy: string[];
      /** Gives the length of the pause, in milliseconds, by the number of pauses in a row. */
      delayOf: (count: number) => number;
    },
  ) => Promise<void>;
  /**
   * Ends the wait of a pause, so that a letter finds out now whether the pause is over.
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

/** The number of permits that were granted, and the pause and the refusals that a taken letter would end. */
export interface Permits {
  granted: number;
  hasPause: boolean;
  /** The ids of the letters whose refusals led to the pause; none without a pause. */
  causedBy: string[];
  /** Whether letters were refused for good since the mail server last took a letter, with a pause or without. */
  hasRefused: boolean;
}

/** Makes the functions that change the shared state. */
export function createMailState(kv: Kv): MailStateStore {
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

    takePermits: ({ at, perMinute, wanted }) =>
      changeWithResult<Permits>((state) => {
        const { pause, refused } = state;
        const free = freePermits(state, { at, perMinute });
        const granted = Math.max(0, Math.min(pause ? 1 : Infinity, wanted, free));
        const result: Permits = {
          granted,
          hasPause: pause !== undefined,
          causedBy: pause?.metBy ?? [],
          hasRefused: refused !== undefined,
        };
        if (granted === 0) return { result };
        const probed = pause &&
          { pause: { ...pause, since: at, until: at + PROBE_MS, isProbed: true } };
        const second = secondOf(at);
        const taken = takenPermits(state, second) + granted;
        return { newValue: { ...state, second, taken, ...probed }, result };
      }),

    pause: ({ at, reason, causedBy, delayOf }) =>
      change((state) => {
        if (isPaused(state, at) && !state.pause?.isProbed) return undefined;
        const count = (state.pause?.count ?? 0) + 1;
        const until = at + delayOf(count);
        const begunAt = state.pause?.begunAt ?? at;
        return { ...state, pause: { begunAt, since: at, until, count, reason, metBy: causedBy } };
      }),

    endWait: (at) =>
      change(({ pause, ...state }) => {
        if (!pause) return undefined;
        const { isProbed: _, ...rest } = pause;
        return { ...state, pause: { ...rest, until: at } };
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

/** Gives the number of permits that were taken in a second. */
const takenPermits = (state: MailState, second: number): number =>
  state.second === second ? state.taken : 0;

/** Gives the number of free permits in the second of the moment `at`. @param options.at in milliseconds since 1970 */
function freePermits(
  state: MailState,
  { at, perMinute }: { at: number; perMinute: number },
): number {
  const second = secondOf(at);
  // Another process, whose clock is slightly ahead, has begun a later second, so this second is over for all processes.
  const isOver = state.second > second && state.second <= second + MAX_SECONDS_AHEAD;
  if (isOver || isPaused(state, at)) return 0;
  return permitsOf(second, perMinute) - takenPermits(state, second);
}

function isPaused({ pause }: MailState, at: number): boolean {
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
