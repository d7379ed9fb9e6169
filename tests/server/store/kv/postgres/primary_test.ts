import assert from "node:assert/strict";
import {
  choosePrimary,
  type HostReport,
  type Lineage,
} from "../../../../../server/store/kv/postgres/primary.ts";

const primary = (timeline: number, more: Partial<HostReport> = {}): HostReport => ({
  system: "one",
  timeline,
  takesWrites: true,
  isStandby: false,
  recordedTimeline: 0,
  ...more,
});
const standby = (timeline: number, more: Partial<HostReport> = {}) =>
  primary(timeline, { takesWrites: false, isStandby: true, ...more });

const at = (timeline: number, system = "one"): Lineage => ({ system, timeline });

const CASES: {
  name: string;
  reports: (HostReport | undefined)[];
  knownLineage?: Lineage;
  last?: number;
  expected: ReturnType<typeof choosePrimary>;
}[] = [
  {
    name: "takes the one that takes writes",
    reports: [standby(1), primary(1)],
    expected: { host: 1, isCurrent: true, stale: [], knownLineage: at(1) },
  },
  {
    name: "takes the highest timeline of two that take writes",
    reports: [primary(1), primary(2)],
    expected: { host: 1, isCurrent: true, stale: [0], knownLineage: at(2) },
  },
  {
    name: "takes none that is older than what is known",
    reports: [primary(1), undefined],
    knownLineage: at(2),
    expected: { isCurrent: false, stale: [0], knownLineage: at(2) },
  },
  {
    name: "takes none that has a note of a newer one",
    reports: [primary(1, { recordedTimeline: 2 }), undefined],
    expected: { isCurrent: false, stale: [0], knownLineage: at(2) },
  },
  {
    name: "takes one that was promoted after the note",
    reports: [primary(2, { recordedTimeline: 2 })],
    expected: { host: 0, isCurrent: true, stale: [], knownLineage: at(2) },
  },
  {
    name: "believes a standby that follows a newer primary",
    reports: [primary(1), standby(2)],
    expected: { host: 1, isCurrent: false, stale: [0], knownLineage: at(2) },
  },
  {
    name: "reads a standby while none takes writes, and no former primary",
    reports: [primary(1, { takesWrites: false }), standby(2)],
    knownLineage: at(2),
    expected: { host: 1, isCurrent: false, stale: [0], knownLineage: at(2) },
  },
  {
    name: "stays with the one used last among equal ones",
    reports: [primary(3), primary(3)],
    knownLineage: at(3),
    last: 1,
    expected: { host: 1, isCurrent: true, stale: [], knownLineage: at(3) },
  },
  {
    name: "takes a server that was set up anew, whose timelines are others",
    reports: [primary(1, { system: "two" })],
    knownLineage: at(5),
    expected: { host: 0, isCurrent: true, stale: [], knownLineage: at(1, "two") },
  },
  {
    name: "prefers the known cluster to another one",
    reports: [primary(9, { system: "two" }), primary(1)],
    knownLineage: at(1),
    expected: { host: 1, isCurrent: true, stale: [], knownLineage: at(1) },
  },
  {
    name: "knows nothing before a host has answered",
    reports: [undefined],
    expected: { isCurrent: false, stale: [] },
  },
];

for (const { name, reports, knownLineage, last = 0, expected } of CASES) {
  Deno.test(`choosePrimary() ${name}`, () => {
    assert.deepEqual(choosePrimary(reports, knownLineage, last), expected);
  });
}
