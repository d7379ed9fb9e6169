/** What clients see, and what the store holds, while KV is not as it should be. @module */
import assert from "node:assert/strict";
import { storeSignUps } from "../../server/store/people/sign_ups.ts";
import { assertAccepted, assertError, newAddress } from "../support/answers.ts";
import { type AroundCommit, type AroundRead, faultyKv } from "../support/faulty_kv.ts";
import { readCounts, recordId, recount, storedSignUps } from "../support/records.ts";
import {
  createTestClient,
  getAccessToken,
  json,
  serveOn,
  START,
  type TestService,
} from "../support/service.ts";
import { type Credentials, inBody, requestStats, requestToken } from "../support/tokens.ts";
import type { Kv } from "../../server/store/kv/engine.ts";
import { listAll, openMemoryKv } from "../support/memory_kv.ts";

/** How KV behaves; each is the well-behaved one where it is absent. */
interface Behaviour {
  commit?: AroundCommit;
  read?: AroundRead;
  /** Called once status has answered in the midst of it. */
  relent?: () => void;
}

interface Fault {
  name: string;
  /** Whether calls wait for the store's deadline. */
  hangs?: true;
  behave: (kv: Kv) => Behaviour;
  /** The statuses that the calls are answered with. */
  sees: { join: 200 | 500; token: 200 | 500; stats: 200 | 500 };
  /** Whether the sign-up is stored, whatever its client was told. */
  stores: boolean;
}

const ALL_WELL = { join: 200, token: 200, stats: 200 } as const;
/** Clients are in memory, so that a known one goes on getting tokens. */
const ALL_FAIL = { join: 500, token: 200, stats: 500 } as const;
const DISK_FULL = new Error("database or disk is full");

const FAULTS: Fault[] = [
  {
    name: "KV is slow",
    behave() {
      const { promise, resolve } = Promise.withResolvers<void>();
      return {
        commit: (commit) => promise.then(commit),
        read: (read) => promise.then(read),
        relent: resolve,
      };
    },
    sees: ALL_WELL,
    stores: true,
  },
  {
    name: "KV never answers",
    hangs: true,
    behave: () => ({ commit: () => new Promise(() => {}), read: () => new Promise(() => {}) }),
    sees: ALL_FAIL,
    stores: false,
  },
  {
    name: "KV commits and never says so",
    hangs: true,
    behave: () => ({ commit: (commit) => commit().then(() => new Promise(() => {})) }),
    sees: { ...ALL_WELL, join: 500 },
    stores: true,
  },
  {
    name: "reads fail",
    behave: () => ({ read: () => Promise.reject(new Error("The connection was reset")) }),
    sees: ALL_FAIL,
    stores: false,
  },
  {
    name: "the disk is full",
    behave: () => ({ commit: () => Promise.reject(DISK_FULL) }),
    sees: { ...ALL_WELL, join: 500 },
    stores: false,
  },
  {
    name: "the disk is full for a moment",
    behave() {
      let failures = 0;
      return { commit: (commit) => ++failures < 3 ? Promise.reject(DISK_FULL) : commit() };
    },
    sees: ALL_WELL,
    stores: true,
  },
  {
    name: "a commit's answer is lost",
    behave() {
      let lost = false;
      return {
        async commit(commit) {
          const result = await commit();
          if (lost) return result;
          lost = true;
          throw new Error("The connection was reset");
        },
      };
    },
    sees: ALL_WELL,
    stores: true,
  },
  {
    name: "every commit's answer is lost",
    behave: () => ({
      commit: (commit) =>
        commit().then(() => Promise.reject(new Error("The connection was reset"))),
    }),
    sees: ALL_WELL,
    stores: true,
  },
  {
    name: "other processes win fifty races for the address",
    behave(kv) {
      let races = 0;
      return {
        async commit(commit) {
          if (++races <= 50) await signUpElsewhere(kv, races % 2 === 0 ? "de" : "en");
          return await commit();
        },
      };
    },
    sees: ALL_WELL,
    stores: true,
  },
];

/** Another process stores a sign-up of the address that signs up during the fault. */
async function signUpElsewhere(kv: Kv, lang: "de" | "en"): Promise<void> {
  const at = new Date(START).toISOString();
  await storeSignUps(kv, [{ signUp: { email: "during@example.com", lang }, at, id: recordId() }]);
}

/** A service on a KV that behaves as `behaviour` says at the moment. */
async function serveOnFaulty(deadlineMs?: number) {
  const kv = await openMemoryKv();
  const state: { behaviour: Behaviour } = { behaviour: {} };
  const faulty = faultyKv(
    kv,
    (commit) => state.behaviour.commit?.(commit) ?? commit(),
    (read) => state.behaviour.read?.(read) ?? read(),
    deadlineMs,
  );
  return { kv, state, service: await serveOn(faulty) };
}

/** Calls everything that needs KV. */
function callAll(service: TestService, email: string, client: Credentials, accessToken: string) {
  const signUp = json({ email, consent: true });
  return Promise.all([
    service.request("/api/v1/waitlist", { ...signUp, from: newAddress() }),
    requestToken(service, { body: { grant_type: "client_credentials", ...inBody(client) } }),
    requestStats(service, { authorization: `Bearer ${accessToken}` }),
  ]);
}

/** How long the store waits for a KV that hangs, instead of five seconds; a busy machine answers within it. */
const SHORT_DEADLINE_MS = 1_000;

for (const { name, hangs, behave, sees, stores } of FAULTS) {
  Deno.test(`createService() answers 200 only to stored sign-ups, and still answers status requests, when ${name}`, async () => {
    const { kv, state, service: running } = await serveOnFaulty(hangs && SHORT_DEADLINE_MS);
    await using service = running;
    const client = await createTestClient(service);
    const token = await getAccessToken(service, client);
    await callAll(service, "before@example.com", client, token);
    state.behaviour = behave(kv);
    const answers = callAll(service, "during@example.com", client, token);
    assert.equal((await service.request("/api/v1/status")).status, 200);
    state.behaviour.relent?.();
    const [joined, granted, read] = await answers;
    assert.equal((await service.request("/api/v1/status")).status, 200);
    if (sees.join === 200) await assertAccepted(joined);
    else await assertError(joined, 500, "internal_error");
    for (const [response, status] of [[granted, sees.token], [read, sees.stats]] as const) {
      if (status === 500) await assertError(response, 500, "internal_error");
      else assert.equal(response.status, 200);
    }

    const emails = ["before@example.com", ...stores ? ["during@example.com"] : []];
    assert.deepEqual(Object.keys(await storedSignUps(kv)), emails);
    assert.deepEqual(await readCounts(kv, START), await recount(kv, START));
    assert.ok(!JSON.stringify(service.log).includes("example.com"));

    state.behaviour = {};
    for (const response of await callAll(service, "after@example.com", client, token)) {
      assert.equal(response.status, 200, "all is well again");
    }
    assert.deepEqual(await readCounts(kv, START), await recount(kv, START));
  });
}

// deno-kv: what expires may stay readable for a minute, so keys and values carry their time.
Deno.test("createService() counts requests from zero in a new window when KV still has the counts of the last window", async () => {
  const from = "198.51.100.9";
  const kv = await openMemoryKv();
  const before = await serveOn(kv);
  for (let n = 0; n < 30; n++) await before.request("/api/v1", { from });
  await before.stop();
  const counts = await listAll(kv, { prefix: ["limit_counts"] });
  assert.equal(counts.length, 1);

  await using after = await serveOn(kv);
  assert.equal((await after.request("/api/v1", { from })).status, 429);
  after.clock.now += 60_000;
  const response = await after.request("/api/v1", { from });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("ratelimit-remaining"), "29");
});
