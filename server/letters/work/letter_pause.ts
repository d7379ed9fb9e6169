/**
 * What one process knows about the pause of all letters. The pause itself is in the state of mail that all processes
 * share, and so is the list of letters that were refused in a row. After the wait of a pause, one letter is sent to
 * find out whether the pause is over: the probe. @module
 */
import type { Runtime } from "../../runtime/mod.ts";
import type { MailStateStore, NewPause } from "../../store/outbox/mod.ts";

/** What {@linkcode createLetterPause} needs. */
export interface LetterPauseOptions extends Pick<Runtime, "now" | "log"> {
  mailState: MailStateStore;
}

/** The pause of all letters, as one process sees and changes it. */
export interface LetterPause {
  /**
   * Takes over what the shared state said when permits were taken.
   * @param state.hasPermits whether there were permits; during a pause, there is a permit only for the probe
   */
  noteState: (
    state: { hasPause: boolean; hasRefusals: boolean; hasPermits: boolean },
  ) => void;
  /** Pauses all letters. Logs this unless letters are already paused. */
  begin: (pause: NewPause) => Promise<void>;
  /** Notes that the mail server has taken a letter: ends a pause, and forgets earlier refusals. */
  noteTaken: () => Promise<void>;
  /**
   * Notes that a letter was refused for good. From the number of refused letters, the caller decides whether to pause
   * all letters.
   * @returns the ids of the first letters that were refused since the mail server last took a letter
   */
  noteRefused: (id: string) => Promise<string[]>;
  /**
   * Lets another letter be the probe. Called if a letter, which may be the probe, was dropped, refused or postponed.
   */
  probeAgain: () => Promise<void>;
}

/** Makes the view of one process on the pause. All functions that return a promise reject if KV does not answer. */
export function createLetterPause({ mailState, now, log }: LetterPauseOptions): LetterPause {
  /** Whether the shared state has a pause that began after the last taken letter. */
  let hasPause = false;
  /** Whether the shared state lists letters that were refused for good after the last taken letter. */
  let hasRefusals = false;
  /** Whether this process is sending the probe. */
  let isProbing = false;
  /** Whether this process has logged the beginning of the pause. */
  let isPauseLogged = false;

  return {
    noteState(state) {
      ({ hasPause, hasRefusals } = state);
      // A permit is the right to send one letter. During a pause, the only permit is for the probe, so a process that
      // has got a permit sends the probe.
      if (state.hasPermits) isProbing = hasPause;
    },

    async begin(pause) {
      if (!hasPause) {
        log.error(
          "letters are paused because the mail server accepts none; will send one letter later as a test",
          { error: pause.reason },
        );
        isPauseLogged = true;
      }
      hasPause = true;
      isProbing = false;
      await mailState.pause({ at: now(), ...pause });
    },

    async noteTaken() {
      if (hasPause || hasRefusals) await mailState.resume();
      // `hasPause` alone means that another process began the pause and logged its beginning. `isPauseLogged` alone
      // means that another process has ended the pause that this process logged.
      if (hasPause || isPauseLogged) log.info("letters can be sent again");
      hasPause = false;
      hasRefusals = false;
      isProbing = false;
      isPauseLogged = false;
    },

    async noteRefused(id) {
      hasRefusals = true;
      return await mailState.noteRefused(id);
    },

    async probeAgain() {
      // `isProbing` stays true, because the dropped, refused or postponed letter may be an earlier letter, while the
      // probe is still being sent.
      if (isProbing) await mailState.endWait(now());
    },
  };
}
