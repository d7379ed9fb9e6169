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
    name: "chooses the host that takes writes",
    reports: [standby(1), primary(1)],
    expected: { hostIndex: 1, isCurrent: true, staleIndexes: [], knownLineage: at(1) },
  },
  {
    name: "chooses the host with the higher timeline when two hosts take writes",
    reports: [primary(1), primary(2)],
    expected: { hostIndex: 1, isCurrent: true, staleIndexes: [0], knownLineage: at(2) },
  },
  {
    name: "chooses no host with a lower timeline than the known timeline",
    reports: [primary(1), undefined],
    knownLineage: at(2),
    expected: { isCurrent: false, staleIndexes: [0], knownLineage: at(2) },
  },
  {
    name: "chooses no host that has recorded a higher timeline than its own",
    reports: [primary(1, { recordedTimeline: 2 }), undefined],
    expected: { isCurrent: false, staleIndexes: [0], knownLineage: at(2) },
  },
  {
    name: "chooses a host that was promoted to the timeline that it has recorded",
    reports: [primary(2, { recordedTimeline: 2 })],
    expected: { hostIndex: 0, isCurrent: true, staleIndexes: [], knownLineage: at(2) },
  },
  {
    name: "treats a host as a former primary when a standby has a higher timeline",
    reports: [primary(1), standby(2)],
    expected: { hostIndex: 1, isCurrent: false, staleIndexes: [0], knownLineage: at(2) },
  },
  {
    name: "chooses a standby for reads, and no former primary, while no host takes writes",
    reports: [primary(1, { takesWrites: false }), standby(2)],
    knownLineage: at(2),
    expected: { hostIndex: 1, isCurrent: false, staleIndexes: [0], knownLineage: at(2) },
  },
  {
    name: "chooses the host that was used last when two hosts have the same timeline",
    reports: [primary(3), primary(3)],
    knownLineage: at(3),
    last: 1,
    expected: { hostIndex: 1, isCurrent: true, staleIndexes: [], knownLineage: at(3) },
  },
  {
    name: "chooses a host of a new database system, whose timelines are not comparable",
    reports: [primary(1, { system: "two" })],
    knownLineage: at(5),
    expected: { hostIndex: 0, isCurrent: true, staleIndexes: [], knownLineage: at(1, "two") },
  },
  {
    name: "prefers a host of the known database system to a host of another database system",
    reports: [primary(9, { system: "two" }), primary(1)],
    knownLineage: at(1),
    expected: { hostIndex: 1, isCurrent: true, staleIndexes: [], knownLineage: at(1) },
  },
  {
    name: "chooses no host before a host has answered",
    reports: [undefined],
    expected: { isCurrent: false, staleIndexes: [] },
  },
];

for (const { name, reports, knownLineage, last = 0, expected } of CASES) {
  Deno.test(`choosePrimary() ${name}`, () => {
    assert.deepEqual(choosePrimary(reports, knownLineage, last), expected);
  });
}
