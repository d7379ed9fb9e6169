/**
 * The metrics of the service in OpenTelemetry, which `server/docs/operate.md` lists. No attribute has a value that a
 * caller can choose freely, because each new value makes another series of numbers to store. @module
 */
import { type Attributes, createNoopMeter, metrics as openTelemetry } from "@opentelemetry/api";

/** The state of the outbox that the metrics report. */
export interface OutboxView {
  /** The number of letters that wait for their first or next attempt. */
  letters: number;
  /** The number of events that wait for their first or next attempt. */
  events: number;
  /** Whether all letters are paused. */
  isPaused: boolean;
}

/** The functions by which the service reports to the metrics. */
export interface Metrics {
  /** Counts an answer to a request. @param route the template of the path; absent for an unknown path */
  countRequest: (method: string, route: string | undefined, status: number) => void;
  /** Counts a request that was refused because of a limit. @param limit the name of the limit */
  countRefused: (limit: string) => void;
  /** Counts a sign-up. @param outcome `accepted`, or the reason why the sign-up was not stored */
  countSignUp: (outcome: string) => void;
  /**
   * Counts the confirmation of a person who signed up by another person's link. @param isCounted whether the
   * confirmation counts as a referral
   */
  countReferral: (isCounted: boolean) => void;
  /** Counts an access token that was issued. */
  countToken: () => void;
  /**
   * Counts the outcome of a letter or an event. For a letter, `refused` means that the letter will not be sent. For an
   * event, `refused` means that one try to deliver the event failed.
   * @param kind the kind of letter or event, such as `invitation`
   */
  countOutcome: (type: "letters" | "events", kind: string, outcome: "sent" | "refused") => void;
  /** Records the number of items in one batch of work on KV. @param name the kind of work */
  measureBatch: (name: string, items: number) => void;
  /**
   * Makes the function that measures calls of KV.
   *
   * @param system the name of the database system; absent for Deno KV
   * @returns a function that takes the name of the call, the time of the call in milliseconds, and the name of the
   * error if the call failed
   */
  measureKvCall: (system?: string) => (operation: string, ms: number, fault?: string) => void;
  /** Makes each export of metrics report the state of the outbox. @param viewOutbox gives the state from memory */
  reportOutbox: (viewOutbox: () => OutboxView) => void;
  /** Makes each export of metrics report whether the last scheduled backup failed. */
  reportBackups: (hasFailed: () => boolean) => void;
  /**
   * Makes each export of metrics report ages. @param ageOf gives the age of a thing in seconds; `undefined` for an
   * unknown age
   */
  reportAges: (ageOf: (thing: AgedThing) => number | undefined) => void;
}

/** The HTTP methods that are counted by name. Other methods count as `_OTHER` (semantic conventions for HTTP). */
const KNOWN_METHODS = new Set(["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"]);

/** The bounds of the buckets for the duration of a KV call, in seconds (semantic conventions for databases). */
const DURATION_BOUNDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];

/** The bounds of the buckets for the number of items in a batch. A commit to a KV file has up to 99 sign-ups. */
const BATCH_BOUNDS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000];

/** The descriptions of the metrics about ages, by the name of the thing whose age is measured. */
const AGE_DESCRIPTIONS = {
  signing_key: "Time since the key that signs access tokens began to sign",
  verify: "Time since the counters were last verified without a difference",
  backup: "Time since the last whole backup",
};

/** A thing whose age is measured. */
type AgedThing = keyof typeof AGE_DESCRIPTIONS;

/** What a metric needs besides its name. */
interface InstrumentOptions {
  unit: string;
  description: string;
}

/** Makes the metrics; `undefined` if the process exports no metrics, so that counting then costs no time. */
export function createMetrics(): Metrics | undefined {
  const meter = openTelemetry.getMeter("waitlist");
  if (meter === createNoopMeter()) return undefined;

  /** Makes a counter. Gives the function that adds 1 to the counter. */
  function createCounter(name: string, options: InstrumentOptions) {
    const counter = meter.createCounter(name, options);
    return (attributes?: Attributes) => counter.add(1, attributes);
  }

  const addRequest = createCounter("waitlist.requests", {
    unit: "{request}",
    description: "Answers by route, method and status",
  });
  const addRefused = createCounter("waitlist.requests.refused", {
    unit: "{request}",
    description: "Requests beyond a limit",
  });
  const addSignUp = createCounter("waitlist.sign_ups", {
    unit: "{sign_up}",
    description: "Sign-ups by what became of them",
  });
  const addReferral = createCounter("waitlist.referrals", {
    unit: "{referral}",
    description:
      "Confirmations of people who came by a link to recommend, by whether the referral counts",
  });
  const addToken = createCounter("waitlist.tokens.issued", {
    unit: "{token}",
    description: "Access tokens that were issued",
  });
  const addOutcome = {
    letters: {
      sent: createCounter("waitlist.letters.sent", {
        unit: "{letter}",
        description: "Letters that were sent",
      }),
      refused: createCounter("waitlist.letters.refused", {
        unit: "{letter}",
        description: "Letters that ended unsent",
      }),
    },
    events: {
      sent: createCounter("waitlist.events.sent", {
        unit: "{event}",
        description: "Events that were delivered",
      }),
      refused: createCounter("waitlist.events.refused", {
        unit: "{try}",
        description: "Tries to deliver events that failed",
      }),
    },
  };
  /** Makes each export of metrics report a value. A value that is `undefined` is left out. */
  function reportValue(
    name: string,
    options: InstrumentOptions,
    read: () => number | undefined,
  ): void {
    meter.createObservableGauge(name, options).addCallback((gauge) => {
      const value = read();
      if (value !== undefined) gauge.observe(value);
    });
  }
  const batchSize = meter.createHistogram("waitlist.batch.size", {
    unit: "{item}",
    description: "Items that shared a commit, a read or an exchange",
    advice: { explicitBucketBoundaries: BATCH_BOUNDS },
  });
  const kvCallTime = meter.createHistogram("db.client.operation.duration", {
    unit: "s",
    description: "Duration of calls of KV",
    advice: { explicitBucketBoundaries: DURATION_BOUNDS },
  });

  return {
    countRequest(method, route, status) {
      addRequest({
        "http.request.method": KNOWN_METHODS.has(method) ? method : "_OTHER",
        "http.response.status_code": status,
        ...(route !== undefined && { "http.route": route }),
      });
    },
    countRefused: (limit) => addRefused({ "waitlist.limit": limit }),
    countSignUp: (outcome) => addSignUp({ "waitlist.outcome": outcome }),
    countReferral: (isCounted) =>
      addReferral({ "waitlist.outcome": isCounted ? "counted" : "not_counted" }),
    countToken: () => addToken(),
    measureBatch: (name, items) => batchSize.record(items, { "waitlist.batch.name": name }),
    measureKvCall: (system = "deno.kv") => (operation, ms, fault) => {
      kvCallTime.record(ms / 1000, {
        "db.system.name": system,
        "db.operation.name": operation,
        ...(fault !== undefined && { "error.type": fault }),
      });
    },
    countOutcome: (type, kind, outcome) => addOutcome[type][outcome]({ "waitlist.kind": kind }),
    reportOutbox(viewOutbox) {
      const letters = { unit: "{letter}", description: "Letters that wait" };
      const events = { unit: "{event}", description: "Events that wait" };
      const paused = { unit: "1", description: "Whether letters are paused, 1 or 0" };
      reportValue("waitlist.letters.due", letters, () => viewOutbox().letters);
      reportValue("waitlist.events.due", events, () => viewOutbox().events);
      reportValue("waitlist.letters.paused", paused, () => Number(viewOutbox().isPaused));
    },
    reportBackups(hasFailed) {
      const failed = { unit: "1", description: "Whether the last try of a backup failed, 1 or 0" };
      reportValue("waitlist.backup.failed", failed, () => Number(hasFailed()));
    },
    reportAges(ageOf) {
      // The cast is needed because the type of `Object.keys` is a list of plain strings.
      for (const thing of Object.keys(AGE_DESCRIPTIONS) as AgedThing[]) {
        const age = { unit: "s", description: AGE_DESCRIPTIONS[thing] };
        reportValue(`waitlist.${thing}.age`, age, () => ageOf(thing));
      }
    },
  };
}
