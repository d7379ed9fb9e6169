import assert from "node:assert/strict";
import { Commit } from "../../../server/store/kv/engine.ts";
import { storeSignUp } from "../../support/records.ts";
import { printed } from "../support/cli.ts";
import { startFilled } from "../support/import_service.ts";
import { runOperator } from "../support/service.ts";

const AT = "2026-05-01T10:00:00.000Z";
const ADA = { email: "ada@example.com", lang: "de" } as const;

/** A service with one person, in whose store a fault has made further changes. */
const startWithFault = (fault: Commit) =>
  startFilled(async (kv) => {
    await storeSignUp(kv, ADA, AT);
    await kv.commit(fault);
  });

/** Faults, what `verify` prints of them, and what `repair` prints then. */
const FAULTS: [what: string, fault: Commit, found: string, repaired: RegExp][] = [
  [
    "a counter",
    new Commit().add(["statistics", "total"], 2),
    "Counter  Kept  Recounted\n" +
    "total       3          1\n" +
    "Recounted 1 record; none changed meanwhile.\n" +
    "The counters are wrong; correct the counters with 'waitlist counters repair'.\n",
    /\nCorrected 1 counter\.\n$/,
  ],
  [
    "a list of people",
    new Commit().delete(["person", "waiting", AT, ADA.email]),
    "Recounted 1 record; none changed meanwhile.\n" +
    "1 person lacks a state, or an entry in the indexes of lists and searches; " +
    "0 entries of these indexes belong to no person.\n" +
    "Some indexes do not agree with the records of people, so lists and searches can miss people; correct the indexes with 'waitlist counters repair'.\n",
    /\nCorrected the indexes of lists and searches\.\nThe counters were right\.\n$/,
  ],
];

Deno.test("'counters verify' reports wrong counters and wrong lists of people, and 'counters repair' corrects both", async (t) => {
  for (const [what, fault, found, repaired] of FAULTS) {
    await t.step(what, async () => {
      await using service = await startWithFault(fault);
      const run = (command: string) => runOperator(service.url, ["counters", command]);
      assert.deepEqual(await run("verify"), { code: 1, stdout: found, stderr: "" });
      assert.match(await printed(run("repair")), repaired);
      await printed(run("verify"));
      assert.match(await printed(run("repair")), /\nThe counters were right\.\n$/);
    });
  }
});

Deno.test("'counters verify' and 'counters repair' print their reports as JSON when --json is given", async () => {
  await using service = await startWithFault(new Commit().add(["statistics", "total"], 2));
  const run = async (command: string) =>
    JSON.parse(await printed(runOperator(service.url, ["counters", command, "--json"])));
  const sound = {
    complete: true,
    records: 1,
    changed: 0,
    exact: true,
    unreadable: [],
    lists: { missing: 0, surplus: 0 },
  };
  assert.deepEqual(await run("repair"), {
    ...sound,
    agrees: false,
    differences: [{ counter: "total", kept: 3, recounted: 1 }],
    repaired: true,
    recounts: 1,
  });
  assert.deepEqual(await run("verify"), { ...sound, agrees: true, differences: [] });
});
