/** Counts and measures through OpenTelemetry, as `server/docs/operate.md` says; no attribute comes from a caller. @module */
import { type Attributes, createNoopMeter, metrics as openTelemetry } from "@opentelemetry/api";

export interface OutboxView {
  /** How many letters, and how many events, wait for their first or next try. */
  letters: number;
  events: number;
  isPaused: boolean;
}

export type Metrics = NonNullable<ReturnType<typeof createMetrics>>;

/** The methods that are named; a caller can make up others (semantic conventions for HTTP). */
const METHODS = new Set(["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"]);

/** The bounds of the buckets, in seconds, that the semantic conventions for databases have. */
const SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];

/** The bounds of the buckets of batches; a commit on a file takes up to 99 sign-ups. */
const ITEMS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000];

const AGES = {
  signing_key: "Time since the key that signs access tokens began to sign",
  verify: "Time since the counters were last verified without a difference",
  backup: "Time since the last whole backup",
};

type AgedThing = keyof typeof AGES;

/** Makes the metrics; `undefined` where nothing exports them, so that they cost nothing there. */
export function createMetrics() {
  const meter = openTelemetry.getMeter("waitlist");
  if (meter === createNoopMeter()) return undefined;

  const counter = (name: string, unit: string, description: string) => {
    const counted = meter.createCounter(name, { unit, description });
    return (attributes?: Attributes) => counted.add(1, attributes);
  };
  const request = counter("waitlist.requests", "{request}", "Answers by route, method and status");
  const refused = counter("waitlist.requests.refused", "{request}", "Requests beyond a limit");
  const signUp = counter("waitlist.sign_ups", "{sign_up}", "Sign-ups by what became of them");
  const token = counter("waitlist.tokens.issued", "{token}", "Access tokens that were issued");
  const outcomes = {
    letters: {
      sent: counter("waitlist.letters.sent", "{letter}", "Letters that were sent"),
      refused: counter("waitlist.letters.refused", "{letter}", "Letters that ended unsent"),
    },
    events: {
      sent: counter("waitlist.events.sent", "{event}", "Events that were delivered"),
      refused: counter("waitlist.events.refused", "{try}", "Tries to deliver events that failed"),
    },
  };
  const gauge = (name: string, unit: string, description: string) =>
    meter.createObservableGauge(name, { unit, description });
  const batch = meter.createHistogram("waitlist.batch.size", {
    unit: "{item}",
    description: "Items that shared a commit, a read or an exchange",
    advice: { explicitBucketBoundaries: ITEMS },
  });
  const kvCall = meter.createHistogram("db.client.operation.duration", {
    unit: "s",
    description: "Duration of calls of KV",
    advice: { explicitBucketBoundaries: SECONDS },
  });

  return {
    /** Counts an answer; the route is absent where there is nothing at the path. */
    countRequest(method: string, route: string | undefined, status: number) {
      request({
        "http.request.method": METHODS.has(method) ? method : "_OTHER",
        "http.response.status_code": status,
        ...(route !== undefined && { "http.route": route }),
      });
    },
    countRefused: (limit: string) => refused({ "waitlist.limit": limit }),
    /** Counts a sign-up by what became of it: `accepted`, or why it was not stored. */
    countSignUp: (outcome: string) => signUp({ "waitlist.outcome": outcome }),
    countToken: () => token(),
    /** Measures how many items shared a run of a kind of work on KV. */
    measureBatch: (name: string, items: number) =>
      batch.record(items, { "waitlist.batch.name": name }),
    /** Makes what measures a call of a database system, by the name of its function; `fault` names the error of one that failed. */
    measureKvCall: (system = "deno.kv") => (operation: string, ms: number, fault?: string) => {
      kvCall.record(ms / 1000, {
        "db.system.name": system,
        "db.operation.name": operation,
        ...(fault !== undefined && { "error.type": fault }),
      });
    },
    countOutcome: (about: "letters" | "events", kind: string, outcome: "sent" | "refused") =>
      outcomes[about][outcome]({ "waitlist.kind": kind }),
    /** Reports what waits whenever metrics are exported; `view` gives it from memory. */
    reportOutbox(view: () => OutboxView) {
      gauge("waitlist.letters.due", "{letter}", "Letters that wait")
        .addCallback((result) => result.observe(view().letters));
      gauge("waitlist.events.due", "{event}", "Events that wait")
        .addCallback((result) => result.observe(view().events));
      gauge("waitlist.letters.paused", "1", "Whether letters are paused, 1 or 0")
        .addCallback((result) => result.observe(view().isPaused ? 1 : 0));
    },
    /** Reports whether the last try of a backup by itself failed, whenever metrics are exported. */
    reportBackups(hasFailed: () => boolean) {
      gauge("waitlist.backup.failed", "1", "Whether the last try of a backup failed, 1 or 0")
        .addCallback((result) => result.observe(hasFailed() ? 1 : 0));
    },
    /** Reports ages, in seconds, whenever metrics are exported; `undefined` is an age that is not known. */
    reportAges(ageOf: (thing: AgedThing) => number | undefined) {
      for (const [thing, description] of Object.entries(AGES) as [AgedThing, string][]) {
        gauge(`waitlist.${thing}.age`, "s", description).addCallback((result) => {
          const age = ageOf(thing);
          if (age !== undefined) result.observe(age);
        });
      }
    },
  };
}
