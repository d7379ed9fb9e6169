/**
 * What the store needs of an engine, tried on each: what its functions promise where engines differ. The
 * list as a whole is in `list_suite.ts`. @module
 */
import assert from "node:assert/strict";
import { ipv4Address } from "../../../../server/limits/client_address.ts";
import { Limiter, LIMITS } from "../../../../server/limits/limiter.ts";
import { MAX_PACKED } from "../../../../server/limits/packed_counts.ts";
import { newClient } from "../../../../server/oauth/clients.ts";
import { createClient, readClients } from "../../../../server/store/credentials/clients.ts";
import { openAddressHash } from "../../../../server/store/limits/address_hash.ts";
import { createCountsExchange } from "../../../../server/store/limits/counts_exchange.ts";
import { openRootKeys, readRootKeys } from "../../../../server/store/credentials/root_keys.ts";
import { rotateRootKey } from "../../../../server/store/credentials/root_keys.ts";
import { createSignUpQueue, storeSignUps } from "../../../../server/store/people/sign_ups.ts";
import {
  random,
  readCounts,
  recordId,
  recount,
  storedCounters,
  storedSignUps,
  storeSignUp,
} from "../../../support/records.ts";
import { START } from "../../../support/service.ts";
import type { Suite } from "./engines.ts";
import { checksFor } from "../../../../server/store/kv/engine.ts";

const AT = new Date(START).toISOString();

export const STORE_SUITE: Suite = {
  async "storeSignUps() stores as many of the longest addresses in one commit as the commit has checks for"(
    { kv },
  ) {
    const addresses = Array.from({ length: checksFor(kv) }, (_, n) => {
      // The longest address that there can be.
      return `${String(n).padStart(3, "0")}${"a".repeat(239)}@example.com`;
    });
    await storeSignUps(
      kv,
      addresses.map((email) => ({ signUp: { email, lang: "de" }, at: AT, id: recordId() })),
    );
    assert.deepEqual(Object.keys(await storedSignUps(kv)), addresses);
    assert.deepEqual(await readCounts(kv, START), await recount(kv, START));
  },

  async "storeSignUps() raises new counters and lowers old counters when a repeat changes the answers"(
    { kv },
  ) {
    await storeSignUp(kv, { email: "ada@example.com", lang: "de", source: "hero" }, AT);
    await storeSignUp(kv, { email: "ada@example.com", lang: "en", source: "cta" }, AT);
    const times = { createdAt: AT, consentedAt: AT, updatedAt: AT };
    assert.deepEqual(await storedSignUps(kv), {
      "ada@example.com": { ...times, lang: "en", source: "cta", state: "waiting" },
    });
    assert.deepEqual(await storedCounters(kv), {
      "added/2026-11-21": 1,
      "byLang/de": 0,
      "byLang/en": 1,
      "bySource/cta": 1,
      "bySource/hero": 0,
      "byState/waiting": 1,
      "withAnswers/2026-11-21/de/hero": 0,
      "withAnswers/2026-11-21/en/cta": 1,
      total: 1,
    });
  },

  async "createSignUpQueue() counts each address once when repeats of the address arrive at the same time"(
    { kv },
  ) {
    const join = createSignUpQueue(kv, {
      now: () => START,
      monotonic: () => START,
      nextId: recordId,
    });
    await Promise.all(
      Array.from({ length: 300 }, (_, n) => join({ email: `visitor${n % 100}@example.com` })),
    );
    assert.equal((await readCounts(kv, START)).total, 100);
    assert.deepEqual(await readCounts(kv, START), await recount(kv, START));
  },

  async "readCounts() leaves earlier days out of last7Days and last30Days"({ kv }) {
    for (const day of ["2025-12-31", "2026-10-22", "2026-10-23", "2026-11-15", "2026-11-21"]) {
      await storeSignUp(kv, { email: `${day}@example.com` }, `${day}T12:00:00.000Z`);
    }
    const { total, last7Days, last30Days } = await readCounts(kv, START);
    assert.deepEqual({ total, last7Days, last30Days }, { total: 5, last7Days: 2, last30Days: 3 });
  },

  async "createClient() refuses a client whose id another client has, and keeps the stored client"(
    { kv },
  ) {
    const description = { name: "Über uns", scopes: ["waitlist:stats:read"] };
    const { client } = newClient(description, { now: START, random });
    await createClient(kv, client);
    assert.deepEqual(await readClients(kv), [client]);
    await assert.rejects(createClient(kv, client), /belongs to another client/);
    assert.deepEqual(await readClients(kv), [client]);
  },

  async "openRootKeys() makes one key when several processes start together"({ kv }) {
    const starts = Array.from({ length: 8 }, () => openRootKeys(kv, random, START));
    const [first, ...others] = await Promise.all(starts);
    assert.equal(first?.length, 1);
    assert.match(first[0]!.secret, /^[\w-]{43}$/);
    for (const keys of others) assert.deepEqual(keys, first);
  },

  async "rotateRootKey() makes one new key in several calls at the same time, and later removes expired keys"(
    { kv },
  ) {
    await openRootKeys(kv, random, START);
    const rotations = Array.from({ length: 8 }, () => rotateRootKey(kv, START, random));
    const ids = (await Promise.all(rotations)).map(({ keyId }) => keyId);
    assert.deepEqual(new Set(ids), new Set(["2"]));
    await rotateRootKey(kv, START + 60 * 60_000, random);
    await rotateRootKey(kv, START + 120 * 60_000, random);
    assert.deepEqual((await readRootKeys(kv)).rootKeys.map(({ keyId }) => keyId), ["2", "3", "4"]);
  },

  async "createCountsExchange() shares as many request counts as one value in KV can hold"({ kv }) {
    const hash = await openAddressHash(kv, random);
    const [one, two] = Array.from({ length: 2 }, () =>
      new Limiter({
        now: () => START,
        hash,
        seed: 1,
        onChange: () => {},
      }));
    assert.ok(one && two);
    for (let n = 0; n < MAX_PACKED; n++) one.countRequest(LIMITS.default, ipv4Address(n));
    await createCountsExchange(kv, "one", one)();
    await createCountsExchange(kv, "one", one)();
    await createCountsExchange(kv, "two", two)();
    const left = LIMITS.default.maxRequests - 2;
    assert.equal(two.countRequest(LIMITS.default, ipv4Address(0)).remaining, left);
    assert.equal(two.countRequest(LIMITS.default, ipv4Address(MAX_PACKED - 1)).remaining, left);
    assert.equal(two.countRequest(LIMITS.default, ipv4Address(MAX_PACKED)).remaining, left + 1);
  },
};
