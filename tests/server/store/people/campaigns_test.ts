import assert from "node:assert/strict";
import { join as joinPath } from "node:path";
import { readOne } from "../../../../server/store/kv/calls.ts";
import { Commit, type Key, type Kv, type Write } from "../../../../server/store/kv/engine.ts";
import { NO_OUTBOX } from "../../../../server/store/outbox/changes.ts";
import { correctAddress } from "../../../../server/store/people/correct.ts";
import { recountRecords } from "../../../../server/store/people/recount.ts";
import { repairCounters } from "../../../../server/store/people/repair_counters.ts";
import { storeSignUps } from "../../../../server/store/people/sign_ups.ts";
import { readOverview } from "../../../../server/store/people/overview.ts";
import type { CampaignField, CountedValues } from "../../../../server/waitlist/campaigns.ts";
import {
  confirmSignUp,
  inviteSignUp,
  type Leave,
} from "../../../../server/waitlist/transitions.ts";
import type { Campaign } from "../../../../shared/campaigns.ts";
import { damageEntry } from "../../../support/damage.ts";
import { racingKv } from "../../../support/faulty_kv.ts";
import { assertListsAgree } from "../../../support/lists.ts";
import { listAll, openFileKv, test } from "../../../support/memory_kv.ts";
import { makeTestFolder } from "../../../support/process.ts";
import { assertCountersEqualRecount, finish, spoil } from "../../../support/recounts.ts";
import { changeRecord, OUTBOX, random, recordId, recordOf } from "../../../support/records.ts";
import { START } from "../../../support/service.ts";

const AT = new Date(START).toISOString();
const ADA = "ada@example.com";
const NEWS = { utmSource: "news", utmMedium: "mail", utmCampaign: "launch" };
/** The greatest number of values of a parameter that are counted by name (decisions, "Campaigns"). */
const MOST = 200;

/** Signs a person up with mail off, so that the person is counted at once, unless told otherwise. */
async function join(kv: Kv, email: string, campaign?: Campaign, outbox = NO_OUTBOX): Promise<void> {
  await storeSignUps(kv, [{ signUp: { email }, at: AT, id: recordId(), campaign }], { outbox });
}

const confirm = (kv: Kv, email: string): Promise<void> =>
  changeRecord(kv, email, (record) => confirmSignUp(record, { at: AT, consentText: "c" }));

const leave = (kv: Kv, email: string, leaves: Leave["leaves"] = "person"): Promise<void> =>
  changeRecord(kv, email, () => ({ leaves, at: START }));

/** Signs up people with a different source each, 50 in a commit. */
async function joinMany(kv: Kv, from: number, end: number): Promise<void> {
  const signUps = Array.from({ length: end - from }, (_, index) => {
    const n = from + index;
    const campaign = { utmSource: `s${n}` };
    return { signUp: { email: `p${n}@example.com` }, at: AT, id: recordId(), campaign };
  });
  while (signUps.length > 0) await storeSignUps(kv, signUps.splice(0, 50));
}

/** The counters of a field that are not zero, by value. */
async function countsOf(kv: Kv, field: CampaignField): Promise<Record<string, number>> {
  const entries = await listAll<number>(kv, { prefix: ["statistics", field] });
  return Object.fromEntries(
    entries.filter(({ value }) => value !== 0).map(({ key, value }) => [String(key[2]), value]),
  );
}

const valuesIn = async (kv: Kv): Promise<CountedValues | null> =>
  (await readOne<CountedValues>(kv, ["campaign_values"])).value;

/** Asserts that the counters are those of the records, and that no value is counted that is not in the list. */
async function assertSound(kv: Kv): Promise<void> {
  await assertCountersEqualRecount(kv);
  await assertListsAgree(kv);
  const { report } = await finish(recountRecords(kv, { now: () => START }));
  assert.deepEqual([report.agrees, report.lists], [true, { missing: 0, surplus: 0 }]);
}

test("storeSignUps() stores the campaign of a new address, and does not change the campaign of a known address", async (kv) => {
  await join(kv, ADA, NEWS, OUTBOX);
  await join(kv, ADA, { utmSource: "ads", utmMedium: "banner" }, OUTBOX);
  const { utmSource, utmMedium, utmCampaign } = await recordOf(kv, ADA);
  assert.deepEqual({ utmSource, utmMedium, utmCampaign }, NEWS);
  await join(kv, "bob@example.com", undefined, OUTBOX);
  await join(kv, "bob@example.com", NEWS, OUTBOX);
  assert.equal((await recordOf(kv, "bob@example.com")).utmSource, undefined);
  await assertListsAgree(kv);
});

test("storeSignUps() stores the campaign of the first sign-up when two sign-ups of one address share a commit", async (kv) => {
  const signUps = ["first", "second"].map((utmSource) => ({
    signUp: { email: ADA },
    at: AT,
    id: recordId(),
    campaign: { utmSource },
  }));
  await storeSignUps(kv, signUps);
  assert.equal((await recordOf(kv, ADA)).utmSource, "first");
  assert.deepEqual(await countsOf(kv, "utmSource"), { first: 1 });
  await assertSound(kv);
});

test("A person counts for a campaign from the confirmation until the departure", async (kv) => {
  await join(kv, ADA, NEWS, OUTBOX);
  await join(kv, "bob@example.com", NEWS, OUTBOX);
  assert.deepEqual(await countsOf(kv, "utmSource"), {});
  assert.equal(await valuesIn(kv), null);
  await confirm(kv, ADA);
  await confirm(kv, "bob@example.com");
  assert.deepEqual(await countsOf(kv, "utmSource"), { news: 2 });
  assert.deepEqual(await countsOf(kv, "utmMedium"), { mail: 2 });
  assert.deepEqual(await valuesIn(kv), {
    utmSource: ["news"],
    utmMedium: ["mail"],
    utmCampaign: ["launch"],
  });
  const { campaigns } = await readOverview(kv, START);
  assert.deepEqual(campaigns!.utmCampaign, { launch: 2 });
  await leave(kv, ADA);
  assert.deepEqual(await countsOf(kv, "utmCampaign"), { launch: 1 });
  await leave(kv, "bob@example.com", "operator");
  assert.deepEqual(await countsOf(kv, "utmCampaign"), {});
  await assertSound(kv);
});

test("An unconfirmed person who expires changes no counter of a campaign", async (kv) => {
  await join(kv, ADA, NEWS, OUTBOX);
  await leave(kv, ADA, "expired");
  assert.deepEqual(await listAll(kv, { prefix: ["statistics", "utmSource"] }), []);
  await assertSound(kv);
});

test("storeSignUps() counts 200 values of utmSource by name, and all further values together as 'other'", async (kv) => {
  await joinMany(kv, 0, MOST + 3);
  const counts = await countsOf(kv, "utmSource");
  assert.equal(Object.keys(counts).length, MOST + 1);
  assert.equal(counts.other, 3);
  const last = await recordOf(kv, `p${MOST + 2}@example.com`);
  assert.deepEqual([last.utmSource, last.countedAsOther], [`s${MOST + 2}`, ["utmSource"]]);
  await join(kv, ADA, { utmSource: "s0", utmMedium: "mail" });
  assert.equal((await countsOf(kv, "utmSource")).s0, 2);
  assert.deepEqual(await countsOf(kv, "utmMedium"), { mail: 1 });
  await leave(kv, `p${MOST + 2}@example.com`);
  assert.equal((await countsOf(kv, "utmSource")).other, 2);
  await assertSound(kv);
});

test("A new campaign value replaces an unused value when 200 values are stored", async (kv) => {
  await joinMany(kv, 0, MOST);
  await leave(kv, "p7@example.com");
  await join(kv, ADA, { utmSource: "new" });
  const counts = await countsOf(kv, "utmSource");
  assert.deepEqual([counts.new, counts.s7, counts.other], [1, undefined, undefined]);
  assert.deepEqual(await listAll(kv, { prefix: ["statistics", "utmSource", "s7"] }), []);
  assert.equal((await valuesIn(kv))!.utmSource.length, MOST);
  await join(kv, "bob@example.com", { utmSource: "newer" });
  assert.equal((await countsOf(kv, "utmSource")).other, 1);
  await assertSound(kv);
});

test("storeSignUps() counts 48 of the 50 new campaign values in a commit as 'other' when the store has room for two more values", async (kv) => {
  await joinMany(kv, 0, MOST - 2);
  await joinMany(kv, MOST, MOST + 50);
  const counts = await countsOf(kv, "utmSource");
  assert.equal(Object.keys(counts).length, MOST + 1);
  assert.equal(counts.other, 48);
  await assertSound(kv);
});

test("When the store has room for one more campaign value, and two people bring new values at the same time, one value is counted by name and the other as 'other'", async (kv) => {
  await joinMany(kv, 0, MOST - 1);
  const racing = racingKv(kv, () => join(kv, "bob@example.com", { utmSource: "of-bob" }));
  await join(racing, ADA, { utmSource: "of-ada" });
  const counts = await countsOf(kv, "utmSource");
  assert.deepEqual([counts["of-bob"], counts["of-ada"], counts.other], [1, undefined, 1]);
  await assertSound(kv);
});

test("An unused campaign value is not replaced when another commit gives the value to a person first", async (kv) => {
  await joinMany(kv, 0, MOST);
  await leave(kv, "p0@example.com");
  const racing = racingKv(kv, () => join(kv, "bob@example.com", { utmSource: "s0" }));
  await join(racing, ADA, { utmSource: "new" });
  const counts = await countsOf(kv, "utmSource");
  assert.deepEqual([counts.s0, counts.new, counts.other], [1, undefined, 1]);
  await assertSound(kv);
});

test("A campaign value that is literally 'other' is counted as 'other', and is not added to the list of values", async (kv) => {
  await join(kv, ADA, { utmSource: "other" });
  assert.deepEqual(await countsOf(kv, "utmSource"), { other: 1 });
  assert.equal((await recordOf(kv, ADA)).countedAsOther, undefined);
  assert.deepEqual((await valuesIn(kv))?.utmSource ?? [], []);
  await assertSound(kv);
});

test("A correction of an address keeps the person's campaign, and the campaign of an unconfirmed person is counted only after the person confirms the new address", async (kv) => {
  const correct = (email: string, newEmail: string) =>
    correctAddress({ email, newEmail }, {
      kv,
      outbox: OUTBOX,
      random,
      now: START,
      findInvitationUrl: () => Promise.resolve(undefined),
    });
  await join(kv, ADA, NEWS, OUTBOX);
  await confirm(kv, ADA);
  await correct(ADA, "ada2@example.com");
  assert.equal((await recordOf(kv, "ada2@example.com")).utmSource, "news");
  assert.deepEqual(await countsOf(kv, "utmSource"), {});
  await confirm(kv, "ada2@example.com");
  assert.deepEqual(await countsOf(kv, "utmSource"), { news: 1 });
  const invitation = { at: AT, invitationCode: "i".repeat(32), wave: "first" };
  await changeRecord(kv, "ada2@example.com", (record) => inviteSignUp(record, invitation));
  await correct("ada2@example.com", "ada3@example.com");
  assert.deepEqual(await countsOf(kv, "utmSource"), { news: 1 });
  await assertSound(kv);
});

test("A campaign value that was counted as 'other' can be counted by name after a correction and a new confirmation", async (kv) => {
  await joinMany(kv, 0, MOST);
  await join(kv, ADA, { utmSource: "late" });
  assert.deepEqual((await recordOf(kv, ADA)).countedAsOther, ["utmSource"]);
  await correctAddress({ email: ADA, newEmail: "ada2@example.com" }, {
    kv,
    outbox: OUTBOX,
    random,
    now: START,
    findInvitationUrl: () => Promise.resolve(undefined),
  });
  assert.equal((await recordOf(kv, "ada2@example.com")).countedAsOther, undefined);
  assert.equal((await countsOf(kv, "utmSource")).other, undefined);
  await leave(kv, "p0@example.com");
  await confirm(kv, "ada2@example.com");
  assert.equal((await countsOf(kv, "utmSource")).late, 1);
  await assertSound(kv);
});

/** A KV that notes the keys of the reads, checks and writes that go through it. */
function noting(kv: Kv) {
  const noted: { kind: string; key: Key }[] = [];
  const note = (kind: string, keys: readonly { key: Key }[]) =>
    void noted.push(...keys.map(({ key }) => ({ kind, key })));
  const wrapped: Kv = {
    ...kv,
    get(keys) {
      note("read", keys.map((key) => ({ key })));
      return kv.get(keys);
    },
    commit(commit) {
      note("check", commit.checks);
      for (const type of ["set", "delete", "add"] satisfies Write["type"][]) {
        note(type, commit.writes.filter((write) => write.type === type));
      }
      return kv.commit(commit);
    },
  };
  const isOfCampaigns = ({ key }: { key: Key }) =>
    key[0] === "campaign_values" || key[0] === "statistics" && String(key[1]).startsWith("utm");
  return {
    kv: wrapped,
    takeNoted: () =>
      noted.splice(0).filter(isOfCampaigns).map(({ kind, key }) => `${kind} ${key.join("/")}`),
  };
}

test("storeSignUps() makes no call to KV about campaigns when a sign-up has no campaign or must still be confirmed", async (kv) => {
  await join(kv, ADA, NEWS);
  const watched = noting(kv);
  await join(watched.kv, "bob@example.com");
  await join(watched.kv, "bob@example.com");
  assert.deepEqual(watched.takeNoted(), []);
  // A sign-up that is still to be confirmed only keeps the campaign.
  await join(watched.kv, "cy@example.com", NEWS, OUTBOX);
  assert.deepEqual(watched.takeNoted(), []);
});

test("storeSignUps() makes the same reads and writes about campaigns for a known address and for a new address", async (kv) => {
  const watched = noting(kv);
  const ofNews = { utmSource: ["news"], utmMedium: ["mail"], utmCampaign: ["launch"] };
  for (const listed of [{ utmSource: [], utmMedium: [], utmCampaign: [] }, ofNews]) {
    const list = new Commit().set(["campaign_values"], listed);
    const email = `${recordId().toLowerCase()}@example.com`;
    await kv.commit(list);
    await join(watched.kv, email, NEWS);
    const ofNew = watched.takeNoted();
    await leave(kv, email);
    await kv.commit(list);
    await join(kv, email);
    await join(watched.kv, email, NEWS);
    assert.deepEqual(watched.takeNoted(), ofNew);
    assert.deepEqual(await countsOf(kv, "utmSource"), {});
  }
});

test("storeSignUps() makes the same calls to KV for a stored campaign value that came from a known address as for one that came from a new address", async (kv) => {
  const watched = noting(kv);
  const probe = { utmSource: "probe" };
  const takenFor = async (isKnown: boolean) => {
    if (isKnown) await join(kv, ADA);
    await join(kv, "bob@example.com");
    await join(kv, ADA, probe);
    await join(watched.kv, "bob@example.com", probe);
    const noted = watched.takeNoted();
    await leave(kv, ADA);
    await kv.commit(new Commit().delete(["campaign_values"]));
    return noted;
  };
  assert.deepEqual(await takenFor(true), await takenFor(false));
});

test("The campaign value of a new person replaces a campaign value that came only from repeated sign-ups of a known address", async (kv) => {
  await join(kv, ADA);
  for (let n = 0; n < MOST; n++) await join(kv, ADA, { utmSource: `of-ada-${n}` });
  assert.equal((await valuesIn(kv))!.utmSource.length, MOST);
  await joinMany(kv, 0, MOST);
  assert.equal((await countsOf(kv, "utmSource")).other, undefined);
  assert.equal((await valuesIn(kv))!.utmSource.length, MOST);
  await assertSound(kv);
});

test("recountRecords() reports campaign values that the list of campaign values lacks, and repairCounters() adds these values to the list", async (kv) => {
  await join(kv, ADA, NEWS);
  await kv.commit(new Commit().set(["campaign_values"], {
    utmSource: [],
    utmMedium: ["mail", "unused"],
    utmCampaign: [],
  }));
  await spoil(kv, { "utmMedium/mail": 2 });
  const now = () => START;
  const { report } = await finish(recountRecords(kv, { now }));
  assert.deepEqual([report.agrees, report.lists.missing], [false, 2]);
  assert.deepEqual(report.differences, [
    { counter: ["utmMedium", "mail"], storedCount: 3, recounted: 1 },
  ]);
  const repair = await finish(repairCounters(kv, { now }));
  assert.deepEqual([repair.repaired, repair.lists.missing], [true, 2]);
  assert.deepEqual(await valuesIn(kv), {
    utmSource: ["news"],
    utmMedium: ["mail", "unused"],
    utmCampaign: ["launch"],
  });
  await assertSound(kv);
});

test("recountRecords() reports a wrong counter of places in line even if the list of campaign values is missing", async (kv) => {
  await join(kv, ADA, NEWS);
  await kv.commit(new Commit().delete(["campaign_values"]).add(["line", 0, 1], 1));
  const { report } = await finish(recountRecords(kv, { now: () => START }));
  assert.deepEqual([report.agrees, report.lists.missing], [false, 3]);
  assert.ok(report.line.length > 0);
});

Deno.test("storeSignUps() counts campaign values as 'other' until repairCounters() repairs an unreadable list of values", async () => {
  await using folder = await makeTestFolder();
  const path = joinPath(folder.path, "kv.sqlite3");
  {
    using kv = await openFileKv(path);
    await join(kv, ADA, NEWS);
  }
  damageEntry(path, "launch", "value", ["campaign_values"]);
  using kv = await openFileKv(path);
  await join(kv, "bob@example.com", NEWS);
  assert.deepEqual(await countsOf(kv, "utmSource"), { news: 1, other: 1 });
  const { report } = await finish(recountRecords(kv, { now: () => START }));
  assert.deepEqual([report.agrees, report.differences], [false, []]);
  await finish(repairCounters(kv, { now: () => START }));
  await join(kv, "cy@example.com", NEWS);
  assert.deepEqual(await countsOf(kv, "utmSource"), { news: 2, other: 1 });
  await assertSound(kv);
});
