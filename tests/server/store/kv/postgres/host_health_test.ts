/** What the answers of the hosts say about the store. */
import assert from "node:assert/strict";
import pg from "pg";
import { UnfitServer } from "../../../../../server/store/kv/postgres/connection.ts";
import {
  faultOf,
  healthOf,
  type PolledHosts,
  type PolledReport,
  StaleServer,
} from "../../../../../server/store/kv/postgres/host_health.ts";
import { DeadlineError } from "../../../../../server/runtime/mod.ts";

const LOCATION: PolledHosts["location"] = {
  kind: "postgres",
  hosts: [{ host: "db1.example.com", port: 5432 }, { host: "db2.example.com", port: 5432 }],
  user: "waitlist",
  password: "",
  database: "waitlist",
};

const REPORT: PolledReport = {
  system: "one",
  timeline: 2,
  recordedTimeline: 0,
  takesWrites: true,
  isStandby: false,
  synchronousCommit: "on",
  hasTable: true,
  mayWrite: true,
  pid: "1",
};

const KNOWN = { system: "one", timeline: 2 };

/** A poll in which the first host was chosen, and the second one does not answer. */
const polled = (changes: Partial<PolledReport> = {}, isCurrent = true): PolledHosts => ({
  location: LOCATION,
  answers: [{ ...REPORT, ...changes }, new Error("connection refused")],
  choice: { hostIndex: 0, isCurrent, staleIndexes: [], knownLineage: KNOWN },
  hadTable: true,
});

const CASES: [name: string, polled: PolledHosts, expected: RegExp | undefined][] = [
  ["the host takes writes", polled(), undefined],
  ["no host takes writes", polled({ takesWrites: false }, false), /^No server of KV_URL takes/],
  ["synchronous_commit is off", polled({ synchronousCommit: "off" }), /is 'off'/],
  [
    "the role of KV_URL may not write",
    polled({ mayWrite: false }),
    /^The role of KV_URL may not write/,
  ],
];

for (const [name, hosts, expected] of CASES) {
  Deno.test(`healthOf() gives ${expected ? "a" : "no"} reason to refuse commits when ${name}`, () => {
    const { refusal, vanished, warning } = healthOf(hosts);
    if (expected) assert.match(refusal!, expected);
    else assert.equal(refusal, undefined);
    assert.deepEqual([vanished, warning], [undefined, undefined]);
  });
}

Deno.test("healthOf() reports a vanished store when the table of the store is gone", () => {
  const { vanished, refusal } = healthOf(polled({ hasTable: false, mayWrite: false }));
  assert.match(vanished!, /^The schema or its table is gone/);
  assert.equal(refusal, undefined);
});

Deno.test("healthOf() reports no fault when the host in use answers too late", () => {
  const late = new DeadlineError("db1.example.com:5432 did not answer in time");
  assert.deepEqual(healthOf({ ...polled(), answers: [late, late] }), {});
});

Deno.test("healthOf() warns of a former primary while another host is in use", () => {
  const hosts = polled();
  const answers = [REPORT, { ...REPORT, timeline: 1 }];
  const { warning, refusal } = healthOf({
    ...hosts,
    answers,
    choice: { ...hosts.choice, staleIndexes: [1] },
  });
  assert.match(
    warning!,
    /^db2\.example\.com:5432 is a former primary, because its timeline 1 is lower than the timeline 2 of another server/,
  );
  assert.equal(refusal, undefined);
});

Deno.test("healthOf() warns of a former primary, and gives no reason to refuse commits, when the host in use and the former primary answer too late", () => {
  const late = new DeadlineError("a host did not answer in time");
  const hosts = polled();
  const health = healthOf({
    ...hosts,
    answers: [late, late],
    choice: { ...hosts.choice, staleIndexes: [1] },
  });
  assert.deepEqual(Object.keys(health), ["warning"]);
  assert.match(health.warning!, /^db2\.example\.com:5432 is a former primary, because/);
  assert.doesNotMatch(health.warning!, /undefined/);
});

Deno.test("healthOf() reports no vanished store when the host in use answers too late and another host lacks the service's database", () => {
  const late = new DeadlineError("db1.example.com:5432 did not answer in time");
  const missing = Object.assign(new pg.DatabaseError("no such database", 0, "error"), {
    code: "3D000",
  });
  assert.deepEqual(healthOf({ ...polled(), answers: [late, missing] }), {});
});

Deno.test("healthOf() gives a reason to refuse commits when a former primary is the only host that answers", () => {
  const answers = [new Error("connection refused"), { ...REPORT, timeline: 1 }];
  const choice = { isCurrent: false, staleIndexes: [1], knownLineage: KNOWN };
  const hosts: PolledHosts = { location: LOCATION, answers, choice, hadTable: true };
  assert.match(healthOf(hosts).refusal!, /^All servers that answer are former primaries: db2/);
  assert.ok(faultOf(hosts) instanceof StaleServer);
});

Deno.test("faultOf() prefers the error of an unfit server to a refused connection, and a refused connection to a late answer", () => {
  const late = new DeadlineError("db1 did not answer in time");
  const refused = new Error("connection refused");
  const unfit = new UnfitServer("db2 is a pool");
  const choice = { isCurrent: false, staleIndexes: [] };
  const fault = (...answers: Error[]) =>
    faultOf({ location: LOCATION, answers, choice, hadTable: false });
  assert.equal(fault(late, unfit), unfit);
  assert.equal(fault(late, refused), refused);
  assert.equal(fault(late), late);
  assert.equal(fault().message, "no server answers");
});
