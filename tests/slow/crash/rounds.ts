/** Kills of a process that a client signs up at, and what each leaves behind. @module */
import { setTimeout as delay } from "node:timers/promises";
import type { SignUp } from "../../../server/waitlist/sign_up.ts";
import type { TrialStore } from "../../support/kv_stores.ts";
import type { RuntimeName, TestVariables } from "../../support/process.ts";
import { sendSignUp, type Serving } from "../../support/process_requests.ts";
import { Acknowledged, findingsIn, startVictim } from "../../support/victim.ts";

/** What is killed, and how. */
export interface Trial {
  store: TrialStore;
  variables: TestVariables;
  load: ReturnType<typeof createLoad>;
  /** How long a process lives at the most, in milliseconds, mostly from when it listens. */
  lifetimeMs: number;
  /** What the processes run on, in turn. */
  runtimes: RuntimeName[];
  /** Gives how far the clock of the next process is ahead, in milliseconds. */
  clockAheadMs?: () => number;
}

/** Starts a process again and again, loads it, kills it at a random moment, and looks into its store. */
export async function* crashRounds(
  { store, variables, load, lifetimeMs, runtimes, clockAheadMs }: Trial,
  rounds: number,
) {
  for (let round = 1; round <= rounds; round++) {
    const runtime = runtimes[round % runtimes.length]!;
    const victim = startVictim(variables, { runtime, clockAheadMs: clockAheadMs?.() });
    // Each fourth process may die before it listens, however long it takes to start.
    const began = round % 4 === 0 ? Promise.resolve() : victim.serving;
    const killed = began.then(() => delay(Math.random() * lifetimeMs))
      .then(() => Promise.all([store.kill(), victim.end("SIGKILL")]));
    const service = await victim.serving;
    if (service) await load.run(service);
    await killed;
    await store.start();
    using opened = await store.open();
    const found = [...await findingsIn(opened.kv, load.acknowledged), ...load.refusals.splice(0)];
    const findings = found.map((each) => `round ${round}: ${each}`);
    yield { kv: opened.kv, runtime, hasListened: service !== undefined, findings };
  }
}

/** How many addresses there are to a new one that is signed up again, with other answers. */
const REPEAT_EVERY = 4;

/**
 * Makes a client that signs up from many connections, each of which waits between two sign-ups.
 * @param run a name that sets the addresses of one run apart from another's
 */
export function createLoad(run: string, { connections: length = 64, pauseMs = 0 } = {}) {
  const acknowledged = new Acknowledged();
  const refusals: string[] = [];
  let sent = 0;

  async function connect(service: Serving, client: Deno.HttpClient): Promise<void> {
    for (;;) {
      const signUp = next();
      const sentAt = Date.now();
      try {
        const response = await sendSignUp(service, signUp, { client });
        const text = await response.text();
        if (response.status === 200) acknowledged.add(signUp.email, sentAt);
        else refusals.push(`${response.status} ${text}`);
        if (pauseMs > 0) await delay(pauseMs);
      } catch {
        // The connection broke: this sign-up was not answered, and the process is gone.
        return;
      }
    }
  }

  /** New addresses and, in between, earlier ones with other answers, so that counters move both ways. */
  function next(): SignUp {
    const n = sent++;
    const of = n % REPEAT_EVERY === 0 ? Math.floor(Math.random() * n) : n;
    return {
      email: `visitor${of}.${run}@example.com`,
      ...(n % 2 === 0 && { lang: n % 4 === 0 ? "de" : "en" }),
      ...(n % 3 === 0 && { source: n % 9 === 0 ? "hero" : "cta" }),
    };
  }

  return {
    /** Addresses whose sign-up was answered with 200, over all rounds. */
    acknowledged,
    /** Answers to sign-ups that were no 200. There must be none: a sign-up is stored or not answered. */
    refusals,
    /** Signs up until the service is gone; resolves when no connection is left. */
    async run(service: Serving): Promise<void> {
      // A pool of its own: a connection to the process before this one is of no use.
      using client = Deno.createHttpClient({ poolMaxIdlePerHost: length });
      await Promise.all(Array.from({ length }, () => connect(service, client)));
    },
  };
}
