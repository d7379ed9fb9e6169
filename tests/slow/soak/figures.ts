import type { Outcome } from "./pace.ts";

/** What a third of the run showed. */
export interface Third {
  requests: number;
  failed: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Resident memory of the service, in megabytes: the median of its samples. */
  megabytes: number;
}

/** A third's latencies are counted in buckets of this many milliseconds, up to {@linkcode BUCKETS}. */
const BUCKET_MS = 0.25;
const BUCKETS = 40_000;

/** Collects a run's outcomes without keeping each of them. */
export class Figures {
  readonly #lengthMs: number;
  readonly #thirds = [new Collected(), new Collected(), new Collected()] as const;
  /** The first failures, as they came. */
  readonly failures: string[] = [];

  /** @param seconds how long the run is */
  constructor(seconds: number) {
    this.#lengthMs = seconds * 1000;
  }

  add({ at, latency, failure }: Outcome): void {
    const third = this.#thirdAt(at);
    third.requests++;
    const bucket = Math.min(BUCKETS - 1, Math.floor(latency / BUCKET_MS));
    third.latencies[bucket] = (third.latencies[bucket] ?? 0) + 1;
    if (failure === undefined) return;
    third.failed++;
    if (this.failures.length < 10) this.failures.push(failure);
  }

  addMemory(at: number, megabytes: number): void {
    this.#thirdAt(at).memory.push(megabytes);
  }

  thirds(): [Third, Third, Third] {
    const [first, second, last] = this.#thirds;
    return [first.summary(), second.summary(), last.summary()];
  }

  #thirdAt(at: number): Collected {
    const index = Math.min(2, Math.floor(at / this.#lengthMs * 3)) as 0 | 1 | 2;
    return this.#thirds[index];
  }
}

class Collected {
  requests = 0;
  failed = 0;
  readonly latencies = new Uint32Array(BUCKETS);
  readonly memory: number[] = [];

  summary(): Third {
    const { requests, failed, memory } = this;
    const megabytes = memory.toSorted((a, b) => a - b)[memory.length >> 1] ?? 0;
    return { requests, failed, p50: this.#quantile(0.5), p99: this.#quantile(0.99), megabytes };
  }

  #quantile(share: number): number {
    let left = this.requests * share;
    const bucket = this.latencies.findIndex((count) => (left -= count) <= 0);
    return (bucket + 1) * BUCKET_MS;
  }
}
