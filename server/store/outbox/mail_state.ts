/**
 * The state of sending letters that all processes share: the permits of each second, and the pause of all letters while
 * the mail server accepts none. `letters/work/` decides when letters pause. @module
 */
import { CLOCK_TOLERANCE_MS } from "../../waitlist/mod.ts";
import { changeEntry, findValue, type Kv, MAIL_STATE } from "../kv/mod.ts";

/** The value of the key {@linkcode MAIL_STATE}. */
export interface MailState {
  /** The second, since 1970, from whose share the last permits came. */
  second: number;
  /** The permits of that second that are used. */
  taken: number;
  /** Present from a refusal before any recipient until the mail server takes a letter. */
  pause?: MailPause;
  /** The ids of the first letters that were refused for good since the last letter that was taken. */
  refused?: string[];
}

/** A pause of all letters. */
export interface MailPause {
  /** The beginning of the first of the pauses in a row, in milliseconds since 1970. Earlier versions wrote none. */
  begunAt?: number;
  /** The beginning of this pause, in milliseconds since 1970. */
  since: number;
  /** The next attempt, in milliseconds since 1970. */
  until: number;
  /** The number of pauses since the last letter that was taken. */
  count: number;
  /** Why letters are paused, without addresses. */
  reason: string;
  /** The ids of the letters whose refusals led to the pause. Another letter finds out whether the pause is over. */
  metBy?: string[];
  /** Whether a letter is being sent to find out if the pause is over. */
  isProbed?: boolean;
}

/** How far ahead a stored second may be, in seconds. A second further ahead came from a clock that was wrong. */
const MAX_SECONDS_AHEAD = CLOCK_TOLERANCE_MS / 1_000;

/** How long a letter has to find out whether a pause is over, in milliseconds: longer than an attempt. */
const PROBE_MS = 65_000;

/** The number of final refusals in a row, without a letter taken between them, that pauses all letters. */
export const REFUSED_IN_A_ROW = 3;

/** Changes the shared state. Each change is one commit, which checks the state that it replaces. */
export interface MailStateStore {
  /** Reads the state; `undefined` before the first letter. */
  read: () => Promise<MailState | undefined>;
  /**
   * Takes permits, each for a letter that begins before the minute of `at` ends. Each second has its share of a minute's
   * permits, and its unused permits lapse. During a pause there is no permit. After a pause there is one, for the letter
   * that finds out whether the pause is over.
   */
  takePermits: (
    request: {
      /** The present moment, in milliseconds since 1970. */
      at: number;
      /** The most letters a minute, of all processes together. */
      perMinute: number;
      wanted: number;
    },
  ) => Promise<Permits>;
  /** Pauses all letters, unless they are paused already. */
  pause: (
    pause: {
      /** The present moment, in milliseconds since 1970. */
      at: number;
      reason: string;
      /** The ids of the letters whose refusals led to the pause. */
      refusedIds: string[];
      /** Gives the length of the pause, in milliseconds, by the number of pauses in a row. */
      delayOf: (count: number) => number;
    },
  ) => Promise<void>;
  /** Ends the wait of a pause, so that a letter finds out now whether the pause is over. */
  probe: (at: number) => Promise<void>;
  /** Notes a final refusal; gives the first letters that were refused since the last letter that was taken. */
  noteRefused: (id: string) => Promise<string[]>;
  /** Forgets pause and refusals, because the mail server has taken a letter. */
  resume: () => Promise<void>;
}

/** How many permits were granted, and what is known since the last letter that was taken. */
export interface Permits {
  granted: number;
  hasPause: boolean;
  /** The ids of the letters whose refusals led to the pause. */
  refusedIds: string[];
  /** Whether a letter was refused for good. */
  hasRefused: boolean;
}

/** Makes the functions that change the shared state. */
export function createMailState(kv: Kv): MailStateStore {
  function change<Result>(
    decide: (state: MailState) => { to?: MailState | undefined; result: Result },
  ): Promise<Result> {
    const none = { second: 0, taken: 0 };
    return changeEntry<MailState, Result>(kv, MAIL_STATE, (state = none) => decide(state));
  }

  /** Changes the state to what `next` gives; `undefined` leaves it. */
  const update = (next: (state: MailState) => MailState | undefined) =>
    change((state) => ({ to: next(state), result: undefined }));

  return {
    read: () => findValue<MailState>(kv, MAIL_STATE),

    takePermits: ({ at, perMinute, wanted }) =>
      change<Permits>((state) => {
        const { pause, refused } = state;
        const second = Math.floor(at / 1_000);
        const isAhead = state.second > second && state.second <= second + MAX_SECONDS_AHEAD;
        const used = state.second === second ? state.taken : 0;
        const free = isAhead || isPaused(state, at) ? 0 : permitsOf(second, perMinute) - used;
        const granted = Math.max(0, Math.min(pause ? 1 : Infinity, wanted, free));
        const result: Permits = {
          granted,
          hasPause: pause !== undefined,
          refusedIds: pause?.metBy ?? [],
          hasRefused: refused !== undefined,
        };
        if (granted === 0) return { result };
        const probed = pause &&
          { pause: { ...pause, since: at, until: at + PROBE_MS, isProbed: true } };
        return { to: { ...state, second, taken: used + granted, ...probed }, result };
      }),

    pause: ({ at, reason, refusedIds, delayOf }) =>
      update((state) => {
        if (isPaused(state, at) && !state.pause?.isProbed) return undefined;
        const count = (state.pause?.count ?? 0) + 1;
        const until = at + delayOf(count);
        const begunAt = state.pause?.begunAt ?? at;
        return { ...state, pause: { begunAt, since: at, until, count, reason, metBy: refusedIds } };
      }),

    probe: (at) =>
      update(({ pause, ...state }) => {
        if (!pause) return undefined;
        const { isProbed: _, ...rest } = pause;
        return { ...state, pause: { ...rest, until: at } };
      }),

    noteRefused: (id) =>
      change((state) => {
        const ids = new Set([...state.refused ?? [], id]);
        const refused = [...ids].slice(0, REFUSED_IN_A_ROW);
        return { to: { ...state, refused }, result: refused };
      }),

    resume: () => update(({ pause, refused, ...state }) => pause || refused ? state : undefined),
  };
}

function isPaused({ pause }: MailState, at: number): boolean {
  // A pause that begins in the future was begun by a clock that was wrong.
  return pause !== undefined && pause.until > at && pause.since <= at + CLOCK_TOLERANCE_MS;
}

/** The share of a second, since 1970, in the permits of its minute. The shares are even and add up to the limit. */
export function permitsOf(second: number, perMinute: number): number {
  const secondOfMinute = second % 60;
  return Math.floor((secondOfMinute + 1) * perMinute / 60) -
    Math.floor(secondOfMinute * perMinute / 60);
}
