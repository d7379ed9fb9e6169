/**
 * Many processes that limit one address together: the real {@linkcode Limiter}, with a clock and a
 * network that are made up. A tick is a millisecond.
 *
 * @module
 */
import { type ClientAddress, ipv4Address } from "../../../server/limits/address_table.ts";
import {
  Limiter,
  LIMITS,
  type SharedCounts,
  WINDOW_SECONDS,
} from "../../../server/limits/limiter.ts";

/** What is tried. Times are milliseconds. */
export interface Scenario {
  processes: number;
  /** Requests a second of the one address, which go to the processes in turn. */
  load: number;
  /** How long changes gather before they are exchanged. */
  beat: number;
  /** How long an exchange takes: half of it for the commit, half for the list. */
  exchange: number;
  /** Whether every process has other callers, too, and so exchanges on every beat. */
  busy: boolean;
  /** Decides when the processes' beats fall. */
  seed: number;
}

const LIMIT = LIMITS.default;
const WINDOW_MS = WINDOW_SECONDS * 1000;

const ADDRESS = ipv4Address(1);

/** How many requests of a window pass beyond the limit. */
export function overshoot(scenario: Scenario): number {
  const { processes: count, load, beat } = scenario;
  const random = randomNumbers(scenario.seed);
  const store = new Map<Process, SharedCounts>();
  const clock = { now: 0 };
  const processes = Array.from({ length: count }, () => {
    return new Process(clock, store, { ...scenario, firstBeat: Math.floor(random() * beat) });
  });

  let passed = 0;
  let sent = 0;
  for (; clock.now < WINDOW_MS; clock.now++) {
    for (const process of processes) process.tick();
    for (; sent < load * clock.now / 1000; sent++) {
      if (processes[sent % count]?.serve(ADDRESS)) passed++;
    }
  }
  return Math.max(0, passed - LIMIT.requests);
}

/** What the limiter promises: P·⌈r·(2·b + 3·k)⌉, and never more than P times the limit in all. */
export function bound({ processes, load, beat, exchange }: Scenario): number {
  const each = Math.ceil(load / processes * (2 * beat + 3 * exchange) / 1000);
  return Math.min(processes * each, (processes - 1) * LIMIT.requests);
}

/** An exchange under way. */
interface Exchange {
  began: number;
  shared: SharedCounts;
  others?: SharedCounts;
}

/** One process: its limiter, and the beat that the server's `Batcher` gives it. */
class Process {
  readonly #limiter: Limiter;
  readonly #clock: { now: number };
  readonly #store: Map<Process, SharedCounts>;
  readonly #scenario: Scenario;
  #waiting = false;
  #gathered: number;
  #running: Exchange | undefined;

  constructor(
    clock: { now: number },
    store: Map<Process, SharedCounts>,
    scenario: Scenario & { firstBeat: number },
  ) {
    this.#gathered = scenario.busy ? scenario.firstBeat : Infinity;
    this.#clock = clock;
    this.#store = store;
    this.#scenario = scenario;
    this.#limiter = new Limiter({
      limits: [LIMIT],
      now: () => clock.now,
      hash: ({ low }) => low,
      seed: 1,
      onChange: () => {
        this.#waiting = true;
        this.#gather();
      },
    });
  }

  /** Counts a request; tells whether it passes. */
  serve(source: ClientAddress): boolean {
    return this.#limiter.count(LIMIT, source).allowed;
  }

  /** Does what is due at this moment. */
  tick(): void {
    const { now } = this.#clock;
    if (now >= this.#gathered) {
      this.#gathered = Infinity;
      if (!this.#running) this.#begin();
    }
    if (this.#running) this.#goOn(this.#running, now - this.#running.began);
  }

  #gather(): void {
    if (this.#gathered === Infinity) this.#gathered = this.#clock.now + this.#scenario.beat;
  }

  #begin(): void {
    this.#waiting = false;
    this.#running = { began: this.#clock.now, shared: this.#limiter.share() };
  }

  /** The store has the commit after a quarter of the exchange, and is read after three. */
  #goOn(running: Exchange, elapsed: number): void {
    const { exchange } = this.#scenario;
    const quarter = Math.floor(exchange / 4);
    if (elapsed === quarter) this.#store.set(this, running.shared);
    if (elapsed === 3 * quarter) running.others = this.#readOthers(running.shared.window);
    if (elapsed < exchange) return;
    if (running.others) this.#limiter.learn(running.others);
    this.#running = undefined;
    // With other callers there is always something to exchange.
    if (this.#waiting || this.#scenario.busy) this.#gather();
  }

  #readOthers(window: number): SharedCounts {
    const packed = [...this.#store]
      .filter(([process]) => process !== this)
      .flatMap(([, shared]) => shared.packed);
    return { window, packed };
  }
}

/** The same numbers from 0 to 1 for the same seed (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
