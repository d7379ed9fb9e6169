import assert from "node:assert/strict";
import fc from "fast-check";
import { Commit } from "../../../server/store/kv/engine.ts";
import type {
  Overview,
  ShownSignup,
  SignupPage,
  StoredSignup,
} from "../../../shared/operator_schemas.ts";
import { backup, begin, endOf, finish, restore, send } from "../../support/backups.ts";
import { LINK } from "../../support/invitations.ts";
import {
  assertRefused,
  call,
  exportPeople,
  importLine,
  importPeople,
  lastLineOf,
  type OperatedService,
  startOperatedService,
  test,
} from "../../support/operator.ts";
import { storedSignUps } from "../../support/records.ts";

const CODES = { ada: "Ada1234567", bob: "Bob1234567", eve: "Eve1234567" };

/** Ada has referred Bob and Eve, and Bob has referred an alias of Ida. Referred people come first. */
const LINES = [
  importLine("bob", { referredBy: CODES.ada, referralCode: CODES.bob }),
  importLine("eve", { referredBy: CODES.ada, referralCode: CODES.eve }),
  importLine("ida+1", { referredBy: CODES.bob }),
  importLine("ada", { referralCode: CODES.ada }),
];

async function show(service: OperatedService, name: string): Promise<ShownSignup> {
  return await (await service.operate("/signups/show", { email: `${name}@example.com` })).json();
}

async function assertVerified(service: OperatedService): Promise<void> {
  const report = await lastLineOf(service, "/counters/verify");
  assert.deepEqual([report.agrees, report.differences], [true, []]);
}

test("showSignup returns a person's referral code, number of referrals, referring person and referred people", async (service) => {
  await importPeople(service, LINES);
  const ada = await show(service, "ada");
  assert.deepEqual([ada.referralCode, ada.referrals, ada.referredBy], [CODES.ada, 2, undefined]);
  const people = ada.referredPeople!.map(({ email, counts }) => ({ email, counts }));
  assert.deepEqual(people, [
    { email: "bob@example.com", counts: true },
    { email: "eve@example.com", counts: true },
  ]);
  assert.equal(ada.moreReferred, false);
  const bob = await show(service, "bob");
  assert.deepEqual([bob.referrals, bob.referredBy], [0, CODES.ada]);
  assert.deepEqual(bob.referrer, { email: "ada@example.com", id: ada.id });
  assert.deepEqual(bob.referredPeople!.map(({ counts }) => counts), [false]);
  await service.operate("/signups/erase", { email: "ada@example.com" });
  const orphan = await show(service, "bob");
  assert.deepEqual([orphan.referredBy, orphan.referrer], ["", undefined]);
});

test("listSignups and waves select people with at least the given number of referrals", async (service) => {
  await importPeople(service, [
    ...LINES,
    importLine("zoe", { referredBy: CODES.eve, createdAt: "2026-04-01T09:30:00.000Z" }),
  ]);
  const list = async (query: object): Promise<SignupPage> =>
    await (await service.operate("/signups/list", query)).json();
  const found = await list({ referrals: 1 });
  assert.deepEqual(
    found.people.map(({ email, referrals }) => [email, referrals]),
    [["ada@example.com", 2], ["eve@example.com", 1]],
  );
  assert.equal((await list({ referrals: 2 })).people.length, 1);
  assert.equal((await list({ referrals: 3 })).people.length, 0);
  const body = { wave: "first", next: 10, link: LINK, letters: false, referrals: 2 };
  const plan = await (await service.operate("/waves", { ...body, dryRun: true })).json();
  assert.deepEqual(plan.people.map(({ email }: StoredSignup) => email), ["ada@example.com"]);
  const wave = await (await service.operate("/waves", body)).json();
  assert.equal(wave.referrals, 2);
  await service.repeatOnce();
  const { state, invited } = await call(service, "/waves/first");
  assert.deepEqual([state, invited], ["done", 1]);
  assert.equal((await storedSignUps(service.kv))["ada@example.com"]!.state, "invited");
  await assertRefused(service, "/signups/list", [
    [{ referrals: 0 }, /^Field 'referrals' is 0; give a whole number from 1 on/],
    [{ referrals: 1.5 }, /^Field 'referrals' is 1.5; give a whole number from 1 on/],
  ]);
  await assertRefused(service, "/waves", [
    [{ ...body, referrals: "2" }, /^Field 'referrals' is '2'; give a whole number from 1 on/],
    [
      { link: LINK, emails: ["ada@example.com"], referrals: 2 },
      /^Field 'referrals' goes with 'next' only/,
    ],
  ]);
});

test("createSchedule makes a schedule whose waves invite only people with at least the given number of referrals", async (service) => {
  await importPeople(service, LINES);
  const schedule = { id: "thanks", next: 10, link: LINK, letters: false, referrals: 2 };
  const request = { ...schedule, every: "day", at: "13:00", zone: "UTC" };
  const plan = await call(service, "/schedules", { ...request, dryRun: true });
  const numbers = plan.runs.map(({ wouldInvite }: { wouldInvite: number }) => wouldInvite);
  assert.deepEqual(numbers, [1, 0, 0]);
  assert.equal((await call(service, "/schedules", request)).referrals, 2);
  service.clock.now += 60 * 60_000;
  await service.workOutbox();
  const [wave] = (await call(service, "/waves")).waves;
  assert.deepEqual([wave.schedule, wave.referrals, wave.state, wave.invited], [
    "thanks",
    2,
    "done",
    1,
  ]);
  const { people } = await call(service, "/signups/list", { state: "invited" });
  assert.deepEqual(people.map(({ email }: StoredSignup) => email), ["ada@example.com"]);
  await assertRefused(service, "/schedules", [
    [{ ...request, referrals: 0 }, /^Field 'referrals' is 0; give a whole number from 1 on/],
  ]);
});

const overviewOf = async (service: OperatedService) =>
  (await call<Overview>(service, "/overview")).referrals!;

test("getOverview returns the number of referrals, and the people with the most referrals", async (service) => {
  assert.deepEqual(await overviewOf(service), { lastWeek: 0, total: 0, top: [] });
  const referred = (name: string, by: number, createdAt: string) =>
    importLine(name, { referredBy: `Code0000${by + 10}`, createdAt });
  await importPeople(service, [
    ...Array.from(
      { length: 12 },
      (_, n) => importLine(`p${n}`, { referralCode: `Code0000${n + 10}` }),
    ),
    ...Array.from({ length: 11 }, (_, n) => referred(`a${n}`, n, "2026-11-15T00:00:00.000Z")),
    referred("b", 4, "2026-11-14T23:59:59.999Z"),
    referred("c+1", 4, "2026-11-20T09:30:00.000Z"),
  ]);
  const { top, ...counts } = await overviewOf(service);
  assert.deepEqual(counts, { lastWeek: 11, total: 12 });
  assert.equal(top.length, 10);
  const { id } = await show(service, "p4");
  assert.deepEqual(top[0], { email: "p4@example.com", id, referrals: 2 });
  assert.ok(top.slice(1).every(({ referrals }) => referrals === 1));
  await service.operate("/signups/erase", { email: "b@example.com" });
  await service.operate("/signups/erase", { email: "a4@example.com" });
  const later = await overviewOf(service);
  assert.deepEqual([later.lastWeek, later.total], [10, 10]);
  assert.ok(later.top.every(({ email }) => email !== "p4@example.com"));
  await assertVerified(service);
});

test("repairCounters corrects the counters of referrals", async (service) => {
  await importPeople(service, LINES);
  await service.kv.commit(new Commit().add(["statistics", "withReferral", "all"], 5));
  const verified = await lastLineOf(service, "/counters/verify");
  assert.deepEqual(verified.differences, [
    { counter: "withReferral/all", kept: 7, recounted: 2 },
  ]);
  await (await service.operate("/counters/repair", {})).text();
  assert.equal((await overviewOf(service)).total, 2);
  await assertVerified(service);
});

test("Each person has the right number of referrals after a restore when a referring person was erased before the backup", async (old) => {
  await importPeople(old, LINES);
  await old.operate("/signups/erase", { email: "ada@example.com" });
  const lines = await backup(old);
  await using service = await startOperatedService();
  await begin(service, lines);
  // The line of a referred person comes before that of the referring person.
  const signUps = lines.filter(({ kind }) => kind === "sign_up").toReversed();
  const { sha256 } = endOf(lines);
  await send(service, signUps, sha256);
  await send(service, lines.filter(({ kind }) => kind !== "sign_up"), sha256);
  const report = await finish(service, lines);
  assert.deepEqual([report?.agrees, report?.differences], [true, []]);
  assert.deepEqual(await exportPeople(service), await exportPeople(old));
  await assertVerified(service);
});

Deno.test("An import of an export, and a restore of a backup, give the same referrals as the old store", async () => {
  const NAMES = ["a", "b", "c", "d+1", "e", "f"];
  const code = (n: number) => `Code00000${n}`;
  const person = fc.record({
    hasCode: fc.boolean(),
    by: fc.option(fc.nat(NAMES.length - 1)),
    counts: fc.option(fc.boolean()),
    state: fc.constantFrom("unconfirmed", "waiting", "accepted"),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(...NAMES.map(() => person)),
      fc.option(fc.nat(NAMES.length - 1)),
      async (people, erased) => {
        await using first = await startOperatedService();
        await importPeople(
          first,
          people.map(({ hasCode, by, counts, state }, n) =>
            importLine(NAMES[n]!, {
              state,
              ...hasCode && { referralCode: code(n) },
              ...by !== null && { referredBy: code(by) },
              ...by !== null && counts !== null && { referralCounts: counts },
            })
          ),
        );
        if (erased !== null) {
          await first.operate("/signups/erase", { email: `${NAMES[erased]}@example.com` });
        }
        await assertVerified(first);
        const before = await exportPeople(first);
        await using second = await startOperatedService();
        // A person whose referring person was erased is imported without a referral.
        const left = before.filter(({ referredBy }) => referredBy !== "");
        await importPeople(second, before.map(({ placeUrl: _, ...each }) => each));
        const after = await exportPeople(second);
        assert.deepEqual(
          after.filter(({ email }) => left.some((each) => each.email === email)),
          left,
        );
        await assertVerified(second);
        await using third = await startOperatedService();
        const lines = await backup(first);
        assert.equal((await restore(third, lines))?.agrees, true);
        assert.deepEqual(await exportPeople(third), before);
      },
    ),
    { numRuns: 15 },
  );
});
