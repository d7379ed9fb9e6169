/**
 * What all processes share about the sending of letters: the permits of the current second, so that no more
 * letters leave in a minute than allowed, and whether letters are paused.
 *
 * @module
 */
import { CLOCK_TOLERANCE_MS } from "../waitlist/outbox_item.ts";
import { untilKnown, withKvDeadline } from "./deadline.ts";
import { MAIL_STATE } from "./outbox_keys.ts";

/** The state as it is stored. */
export interface MailState {
  /** The second, since 1970, of which permits were taken last, and how many were. */
  second: number;
  taken: number;
  /** Present since a mail server has refused before any recipient, until it takes a letter. */
  pause?: MailPause;
}

/** A pause of all letters. */
export interface MailPause {
  /** When it began, in milliseconds since 1970. */
  since: number;
  /** The next attempt, in milliseconds since 1970. */
  until: number;
  /** How often letters were paused since the last one that was sent. */
  count: number;
  /** Why; it holds no address. */
  reason: string;
}

/** How far ahead a stored second may be, before it is that of a clock which was wrong, in seconds. */
const MAX_AHEAD = CLOCK_TOLERANCE_MS / 1_000;

/** The functions that share the state. */
export type MailStateStore = ReturnType<typeof createMailState>;

/** Gives the functions their KV. */
export function createMailState(kv: Deno.Kv) {
  async function read(): Promise<MailState | undefined> {
    return (await withKvDeadline(kv, () => kv.get<MailState>(MAIL_STATE))).value ?? undefined;
  }

  /** Replaces the state, whatever else changes it; `undefined` leaves it. */
  async function change(next: (state: MailState) => MailState | undefined): Promise<void> {
    await untilKnown(kv, async () => {
      const entry = await kv.get<MailState>(MAIL_STATE);
      const state = next(entry.value ?? { second: 0, taken: 0 });
      return !state || (await kv.atomic().check(entry).set(MAIL_STATE, state).commit()).ok ||
        undefined;
    });
  }

  return {
    read,

    /**
     * Takes permits of the second of a moment. Permits that are not used lapse.
     *
     * @param at milliseconds since 1970
     * @returns how many were taken, none while letters are paused; and whether they have been paused since
     * the last letter that was sent
     */
    async takePermits(
      { at, perMinute, wanted }: { at: number; perMinute: number; wanted: number },
    ): Promise<{ granted: number; hasPause: boolean }> {
      let [granted, hasPause] = [0, false];
      await change((state) => {
        const second = Math.floor(at / 1_000);
        granted = 0;
        hasPause = state.pause !== undefined;
        if (isPaused(state, at)) return undefined;
        const isAhead = state.second > second && state.second <= second + MAX_AHEAD;
        const taken = state.second === second ? state.taken : 0;
        granted = isAhead ? 0 : Math.max(0, Math.min(wanted, permitsOf(second, perMinute) - taken));
        return granted === 0 ? undefined : { ...state, second, taken: taken + granted };
      });
      return { granted, hasPause };
    },

    /** Pauses all letters, unless they are paused already; `delayOf` gives the pause by the number of pauses. */
    async pause(
      { at, reason, delayOf }: { at: number; reason: string; delayOf: (count: number) => number },
    ): Promise<void> {
      await change((state) => {
        if (isPaused(state, at)) return undefined;
        const count = (state.pause?.count ?? 0) + 1;
        return { ...state, pause: { since: at, until: at + delayOf(count), count, reason } };
      });
    },

    /** Ends the pause, as the mail server has taken a letter or the operator wants another attempt. */
    async resume(): Promise<void> {
      await change(({ pause, ...state }) => pause && state);
    },
  };
}

function isPaused({ pause }: MailState, at: number): boolean {
  // A pause that begins in the future was begun by a clock that was wrong.
  return pause !== undefined && pause.until > at && pause.since <= at + CLOCK_TOLERANCE_MS;
}

/**
 * Gives the permits of a second. The seconds of a minute add up to the limit, and each has its even share.
 *
 * @param second seconds since 1970
 */
export function permitsOf(second: number, perMinute: number): number {
  const place = second % 60;
  return Math.floor((place + 1) * perMinute / 60) - Math.floor(place * perMinute / 60);
}
