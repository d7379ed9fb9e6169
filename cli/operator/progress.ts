import type { Context } from "../context.ts";
import type { Settings } from "../settings.ts";

/** Tells on standard error how far long work has come. */
export interface Progress {
  /** Shows a state in the place of the one before; on a terminal only. */
  show: (state: string) => void;
  /** Writes a line that stays. */
  note: (line: string) => void;
  /** Takes the state off the terminal. */
  end: () => void;
}

/** How often the state is drawn at the most, in milliseconds. */
const EVERY_MS = 100;

/** Makes the progress of a command; `--quiet` leaves only notes. */
export function createProgress(
  { stderr, clock }: Pick<Context, "stderr" | "clock">,
  { quiet }: Pick<Settings, "quiet">,
): Progress {
  const draws = stderr.isTerminal && !quiet;
  let drawn = -Infinity;
  const clear = () => {
    if (draws && drawn > -Infinity) stderr.write("\r\x1b[K");
  };
  return {
    show(state) {
      const now = clock.now();
      if (!draws || now - drawn < EVERY_MS) return;
      drawn = now;
      stderr.write(`\r\x1b[K${state.slice(0, stderr.columns() - 1)}`);
    },
    note(line) {
      clear();
      stderr.write(`${line}\n`);
    },
    end() {
      clear();
      drawn = -Infinity;
    },
  };
}
