import type { Attributes, Meter, ObservableCallback } from "@opentelemetry/api";
import { createNoopMeter, metrics } from "@opentelemetry/api";

/** A value that a counter or histogram was given, or that a gauge has. */
export type Recorded = [value: number, attributes: Attributes];

/** Records the metrics of the services that are started from now on, until it is disposed of. */
export function recordMetrics() {
  const records = new Map<string, Recorded[]>();
  const callbacks = new Map<string, ObservableCallback>();
  /** What a counter or histogram was given, in order. */
  const recorded = (name: string) => records.get(name) ?? [];
  const record = (name: string) => (value: number, attributes: Attributes = {}) => {
    records.set(name, [...recorded(name), [value, attributes]]);
  };
  const meter: Meter = Object.assign(Object.create(createNoopMeter()), {
    createCounter: (name: string) => ({ add: record(name) }),
    createHistogram: (name: string) => ({ record: record(name) }),
    createObservableGauge: (name: string) => ({
      addCallback: (callback: ObservableCallback) => callbacks.set(name, callback),
    }),
  });
  metrics.setGlobalMeterProvider({ getMeter: () => meter });
  return {
    recorded,
    /** What a gauge observes now. */
    observed(name: string) {
      const values: Recorded[] = [];
      callbacks.get(name)?.({
        observe: (value: number, attributes: Attributes = {}) => values.push([value, attributes]),
      });
      return values;
    },
    [Symbol.dispose]: () => metrics.disable(),
  };
}
