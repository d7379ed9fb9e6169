/** What all processes share of sending letters: how many may begin, and whether all are paused. @module */
import { CLOCK_TOLERANCE_MS } from "../../waitlist/mod.ts";
import { changeEntry, findValue, type Kv, MAIL_STATE } from "../kv/mod.ts";

export interface MailState {
  /** The second, since 1970, from whose share permits were taken last, and how many were. */
  second: number;
  taken: number;
  /** Since a mail server has refused before any recipient, until it takes a letter. */
  pause?: MailPause;
  /** The ids of the first letters that were refused for good since the last one that was taken. */
  refused?: string[];
}

export interface MailPause {
  /** When the first of the pauses in a row began; absent in what an earlier version wrote. */
  begunAt?: number;
  /** In milliseconds since 1970. */
  since: number;
  /** The next attempt, in milliseconds since 1970. */
  until: number;
  /** How often letters were paused since the last one that was sent. */
  count: number;
  /** Why; it holds no address. */
  reason: string;
  /** The ids of the letters that were refused before it; others find out whether it is over. */
  metBy?: string[];
  /** Whether a letter is finding out whether it is over. */
  isProbed?: boolean;
}

/** How far ahead a stored second may be, before it is that of a clock which was wrong, in seconds. */
const MAX_AHEAD = CLOCK_TOLERANCE_MS / 1_000;

/** How long a letter has to find out whether a pause is over, in milliseconds: longer than a try. */
const PROBE_MS = 65_000;

/** So many letters that are refused for good, without one that is taken between them, pause all. */
export const REFUSED_IN_A_ROW = 3;

export type MailStateStore = ReturnType<typeof createMailState>;

export function createMailState(kv: Kv) {
  function change<Result>(
    decide: (state: MailState) => { to?: MailState | undefined; result: Result },
  ): Promise<Result> {
    const none = { second: 0, taken: 0 };
    return changeEntry<MailState, Result>(kv, MAIL_STATE, (state = none) => decide(state));
  }

  /** `undefined` leaves the state. */
  const update = (next: (state: MailState) => MailState | undefined) =>
    change((state) => ({ to: next(state), result: undefined }));

  return {
    read: () => findValue<MailState>(kv, MAIL_STATE),

    /**
     * Takes permits, each for a letter that begins before the minute of a moment ends. Every second has its share of a
     * minute's permits, of which the unused ones lapse. After a pause there is one, for the letter that finds out
     * whether it is over. Gives how many were taken, and what is known since the last letter that was sent: whether
     * there was a pause, the letters that were refused before it, and whether any letter was refused.
     */
    takePermits: ({ at, perMinute, wanted }: { at: number; perMinute: number; wanted: number }) =>
      change((state) => {
        const { pause, refused } = state;
        const second = Math.floor(at / 1_000);
        const isAhead = state.second > second && state.second <= second + MAX_AHEAD;
        const taken = state.second === second ? state.taken : 0;
        const free = isAhead || isPaused(state, at) ? 0 : permitsOf(second, perMinute) - taken;
        const granted = Math.max(0, Math.min(pause ? 1 : Infinity, wanted, free));
        const hasPause = pause !== undefined, hasRefused = refused !== undefined;
        const result = { granted, hasPause, refusedIds: pause?.metBy ?? [], hasRefused };
        if (granted === 0) return { result };
        const probed = pause &&
          { pause: { ...pause, since: at, until: at + PROBE_MS, isProbed: true } };
        return { to: { ...state, second, taken: taken + granted, ...probed }, result };
      }),

    /** Pauses all letters, unless they are paused already, for a time by the number of pauses so far. */
    pause: ({ at, reason, refusedIds, delayOf }: {
      at: number;
      reason: string;
      refusedIds: string[];
      delayOf: (count: number) => number;
    }) =>
      update((state) => {
        if (isPaused(state, at) && !state.pause?.isProbed) return undefined;
        const count = (state.pause?.count ?? 0) + 1;
        const until = at + delayOf(count);
        const begunAt = state.pause?.begunAt ?? at;
        return { ...state, pause: { begunAt, since: at, until, count, reason, metBy: refusedIds } };
      }),

    /** Ends the wait of a pause: a letter finds out at once whether the mail server accepts letters again. */
    probe: (at: number) =>
      update(({ pause, ...state }) => {
        if (!pause) return undefined;
        const { isProbed: _, ...rest } = pause;
        return { ...state, pause: { ...rest, until: at } };
      }),

    /** Gives the first letters that were refused for good since the last that was taken. */
    noteRefused: (id: string) =>
      change((state) => {
        const ids = new Set([...state.refused ?? [], id]);
        const refused = [...ids].slice(0, REFUSED_IN_A_ROW);
        return { to: { ...state, refused }, result: refused };
      }),

    /** Forgets pause and refusals, as the mail server has taken a letter. */
    resume: () => update(({ pause, refused, ...state }) => pause || refused ? state : undefined),
  };
}

function isPaused({ pause }: MailState, at: number): boolean {
  // A pause that begins in the future was begun by a clock that was wrong.
  return pause !== undefined && pause.until > at && pause.since <= at + CLOCK_TOLERANCE_MS;
}

/** The share of a second in the permits of its minute: the shares are even, and add up to the limit. */
export function permitsOf(second: number, perMinute: number): number {
  const secondOfMinute = second % 60;
  return Math.floor((secondOfMinute + 1) * perMinute / 60) -
    Math.floor(secondOfMinute * perMinute / 60);
}
