import assert from "node:assert/strict";
import { decodeProtectedHeader } from "jose";
import { rotateRootKey } from "../../../../server/store/credentials/root_keys.ts";
import { type OperatedService, startOperatedService } from "../../../support/operator.ts";
import {
  basic,
  createTestClient,
  form,
  getAccessToken,
  SANDBOX_CLIENT,
  serveOn,
  START,
  type TestService,
} from "../../../support/service.ts";
import { random } from "../../../support/records.ts";
import { openMemoryKv } from "../../../support/memory_kv.ts";
import { requestStats } from "../../../support/tokens.ts";
import type { Key, Kv } from "../../../../server/store/kv/engine.ts";

/** A client and one of its secrets. */
interface Secret {
  clientId: string;
  clientSecret: string;
}

/** The status that a token call of a client is answered with. */
async function tokenStatus(
  service: TestService,
  client: Secret,
  from?: string,
): Promise<number> {
  const { status } = await service.request("/api/v1/oauth/token", {
    ...form({ grant_type: "client_credentials" }),
    headers: { Authorization: basic(client.clientId, client.clientSecret) },
    ...(from && { from }),
  });
  return status;
}

/** The status that a statistics call with a token is answered with. */
async function statsStatus(
  service: TestService,
  token: string,
  prefix = "",
): Promise<number> {
  const { status } = await requestStats(service, { authorization: `Bearer ${token}`, prefix });
  return status;
}

/** A KV whose watch tells of nothing, as one that died silently does; its lists fail while it is `away`. */
function deafKv(memory: Kv) {
  const faults = { away: false, lists: new Array<string>() };
  const kv = new Proxy(memory, {
    get(target, name) {
      if (name === "watch") return () => ({ close: () => Promise.resolve() });
      const value = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        if (name === "list") {
          faults.lists.push(String((args[0] as { prefix: Key }).prefix[0]));
          if (faults.away) throw new Error("KV is away");
        }
        return value.apply(target, args);
      };
    },
  });
  return { kv, faults };
}

/** Disables a client by the operator's operation; gives the status of the answer. */
async function disable(
  service: Pick<OperatedService, "operate">,
  { clientId }: Secret,
): Promise<number> {
  const path = `/clients/${clientId}/disable`;
  return (await service.operate(path, undefined, { method: "POST" })).status;
}

/** Gives a client a new secret by the operator's operation; the old one ends at once. */
async function rotateSecret(
  service: Pick<OperatedService, "operate">,
  { clientId }: Secret,
): Promise<Secret> {
  const rotated = await service.operate(`/clients/${clientId}/rotate`, { overlapSeconds: 0 });
  const { client_secret, clientSecret } = await rotated.json();
  return { clientId, clientSecret: client_secret ?? clientSecret };
}

/** Resolves once `holds` does; what a watch tells comes in a later turn of the event loop. */
async function eventually(holds: () => Promise<boolean>): Promise<void> {
  while (!await holds()) await new Promise((resolve) => setTimeout(resolve, 1));
}

Deno.test("startCredentials() applies a change of a client at once in the process that made the change", async () => {
  const { kv } = deafKv(await openMemoryKv());
  await using service = await startOperatedService({}, kv);
  const old = await createTestClient(service);
  assert.equal(await tokenStatus(service, old), 200);
  const client = await rotateSecret(service, old);
  assert.equal(await tokenStatus(service, client), 200);
  assert.equal(await tokenStatus(service, old), 401);
  await disable(service, old);
  assert.equal(await tokenStatus(service, client), 401);
  await service.operate(`/clients/${old.clientId}/enable`, undefined, { method: "POST" });
  assert.equal(await tokenStatus(service, client), 200);
});

Deno.test("startCredentials() issues no token to a client while a change of the client cannot be read", async () => {
  const { kv, faults } = deafKv(await openMemoryKv());
  await using service = await startOperatedService({}, kv);
  const client = await createTestClient(service);
  faults.away = true;
  assert.equal(await disable(service, client), 200);
  assert.equal(await tokenStatus(service, client), 500);
  faults.away = false;
  service.clock.now += 1_000;
  assert.equal(await tokenStatus(service, client), 401);
});

Deno.test("startCredentials() reads clients again at the next token request when the read after a change has failed", async () => {
  const { kv, faults } = deafKv(await openMemoryKv());
  await using service = await startOperatedService({}, kv);
  const client = await createTestClient(service);
  const other = await createTestClient(service);
  assert.equal(await tokenStatus(service, { ...client, clientSecret: "unknown" }), 401);
  faults.away = true;
  await disable(service, other);
  faults.away = false;
  assert.equal(await tokenStatus(service, client), 200);
  assert.equal(await tokenStatus(service, other), 401);
});

Deno.test("startCredentials() applies a changed client even if the stored self-service key cannot be read", async () => {
  const kv = await openMemoryKv();
  await using service = await startOperatedService({}, kv);
  const client = await createTestClient(service);
  await kv.raw.set(["place_keys"], new Uint8Array([255]));
  assert.equal(await disable(service, client), 200);
  assert.equal(await tokenStatus(service, client), 401);
  const other = await createTestClient(service);
  assert.equal(await tokenStatus(service, other), 200);
});

Deno.test("startCredentials() applies a change that another process made to a client when the watch on KV reports the change", async () => {
  const kv = await openMemoryKv();
  await using service = await startOperatedService({}, kv);
  const other = await serveOn(kv);
  const client = await createTestClient(other);
  assert.equal(await tokenStatus(other, client), 200);
  await disable(service, client);
  let calls = 0;
  await eventually(async () =>
    await tokenStatus(other, client, `192.0.2.${calls++ % 250}`) === 401
  );
  await other.stop();
});

Deno.test("startCredentials() learns of a new secret and of a disabled client even when the watch on KV reports nothing", async () => {
  const memory = await openMemoryKv();
  const { kv } = deafKv(memory);
  await using service = await startOperatedService({}, memory);
  const deaf = await serveOn(kv);
  const old = await createTestClient(service);
  assert.equal(await tokenStatus(deaf, old), 200);

  deaf.clock.now += 1_000;
  const client = await rotateSecret(service, old);
  assert.equal(await tokenStatus(deaf, old), 200, "it has not been told");
  assert.equal(await tokenStatus(deaf, client), 200, "what is not known is looked for");
  assert.equal(await tokenStatus(deaf, old), 401);

  await disable(service, old);
  assert.equal(await tokenStatus(deaf, client), 200);
  await deaf.repeatOnce();
  assert.equal(await tokenStatus(deaf, client), 401);
  await deaf.stop();
});

Deno.test("startCredentials() reads clients at most once a second when requests have unknown client ids or secrets", async () => {
  const { kv, faults } = deafKv(await openMemoryKv());
  await using service = await serveOn(kv);
  const client = await createTestClient(service);
  const strangers = [
    { clientId: "unknown", clientSecret: "unknown" },
    { clientId: "unknown".repeat(1_000), clientSecret: "" },
    { ...client, clientSecret: "unknown" },
  ];
  for (let second = 1; second <= 3; second++) {
    service.clock.now += 1_000;
    faults.lists.length = 0;
    const statuses = await Promise.all(
      [...strangers, ...strangers].map((stranger) => tokenStatus(service, stranger)),
    );
    assert.deepEqual(new Set(statuses), new Set([401]));
    const looks = faults.lists.filter((name) => name !== "limit_counts").toSorted();
    assert.deepEqual(looks, ["client", "root_key"]);
  }
});

Deno.test("startCredentials() answers 500, and not 401, to an unknown secret or signing key when KV cannot be read", async () => {
  const memory = await openMemoryKv();
  const { kv, faults } = deafKv(memory);
  await using service = await serveOn(kv);
  const other = await serveOn(memory);
  const client = await createTestClient(service);
  await rotateRootKey(memory, START, random);
  other.clock.now += 60_000;
  await other.repeatOnce();
  const token = await getAccessToken(other, client);
  assert.equal(decodeProtectedHeader(token).kid, "2");

  faults.away = true;
  service.clock.now += 59_999;
  assert.equal(await statsStatus(service, token), 500);
  assert.equal(await tokenStatus(service, { ...client, clientSecret: "unknown" }), 500);
  assert.equal(await tokenStatus(service, client), 200, "what is known needs no look");
  faults.away = false;
  service.clock.now += 1_000;
  assert.equal(await statsStatus(service, token), 200);
  assert.equal(await tokenStatus(service, { ...client, clientSecret: "unknown" }), 401);
  await other.stop();
});

Deno.test("startCredentials() answers token requests with 500 when KV has not been read for 60 s", async () => {
  const memory = await openMemoryKv();
  const { kv, faults } = deafKv(memory);
  await using operated = await startOperatedService({}, memory);
  const cut = await serveOn(kv);
  const [client, other] = [await createTestClient(cut), await createTestClient(cut)];
  faults.away = true;
  await disable(operated, client);
  cut.clock.now += 59_999;
  assert.equal(await tokenStatus(cut, client), 200);
  cut.clock.now += 1;
  for (const each of [client, other, { ...other, clientSecret: "unknown" }]) {
    assert.equal(await tokenStatus(cut, each), 500);
  }
  const sandbox = await cut.request("/sandbox/api/v1/oauth/token", {
    ...form({ grant_type: "client_credentials" }),
    headers: { Authorization: basic(SANDBOX_CLIENT, SANDBOX_CLIENT) },
  });
  assert.equal(sandbox.status, 200, "the sandbox's client is not in KV");

  faults.away = false;
  cut.clock.now += 1_000;
  assert.equal(await tokenStatus(cut, other), 200);
  assert.equal(await tokenStatus(cut, client), 401);
  await cut.stop();
});

Deno.test("startCredentials() lets two processes accept each other's tokens during a rotation of the root key", async () => {
  const kv = await openMemoryKv();
  await using one = await serveOn(kv);
  const two = await serveOn(kv);
  const client = await createTestClient(one);
  const sandbox = { clientId: SANDBOX_CLIENT, clientSecret: SANDBOX_CLIENT };
  const live: { token: string; prefix: string; expires: number }[] = [];
  const signedBy = new Set<string>();

  await rotateRootKey(kv, START, random);
  // One process reads a whole interval late, and the clock of the other is two seconds ahead.
  for (let at = 0; at <= 1_200; at += 20) {
    one.clock.now = START + at * 1000;
    two.clock.now = one.clock.now + 2_000;
    await one.repeatOnce();
    if (at > 0) await two.repeatOnce();
    for (const service of [one, two]) {
      for (const [prefix, credentials] of [["", client], ["/sandbox", sandbox]] as const) {
        const token = await getAccessToken(service, credentials, prefix);
        live.push({ token, prefix, expires: service.clock.now + 898_000 });
        signedBy.add(`${at < 60 ? "before" : "after"} ${decodeProtectedHeader(token).kid}`);
      }
    }
    const valid = live.filter(({ expires }) => expires > two.clock.now);
    // The oldest token of each key, and the newest token, which the other process has not seen.
    for (const { token, prefix } of [...valid.slice(0, 4), ...valid.slice(-4)]) {
      assert.equal(await statsStatus(one, token, prefix), 200);
      assert.equal(await statsStatus(two, token, prefix), 200);
    }
  }
  assert.deepEqual([...signedBy], ["before 1", "after 2"]);
  await two.stop();
});

Deno.test("startCredentials() keeps the known clients and keys, and logs a warning, when a read of KV fails", async () => {
  const { kv, faults } = deafKv(await openMemoryKv());
  await using service = await serveOn(kv);
  const token = await getAccessToken(service, await createTestClient(service));
  faults.away = true;
  service.log.length = 0;
  await service.repeatOnce();
  faults.away = false;
  const warnings = service.log.filter(({ event }) =>
    /^cannot read OAuth clients and keys/.test(`${event}`)
  );
  assert.deepEqual(warnings.map(({ level, error }) => [level, error]), [["warn", "KV is away"]]);
  assert.equal(await statsStatus(service, token), 200);
});

// A wall clock that jumps ahead and comes back must leave nothing behind in the future.
Deno.test("startCredentials() applies a change of a client even after the wall clock has jumped an hour ahead and back", async () => {
  const memory = await openMemoryKv();
  const { kv } = deafKv(memory);
  await using service = await startOperatedService({}, kv);
  const deaf = await serveOn(kv);
  const client = await createTestClient(service);
  deaf.clock.now += 3_600_000;
  deaf.clock.jumped = 3_600_000;
  assert.equal(await tokenStatus(deaf, client), 200);
  deaf.clock.now -= 3_600_000;
  deaf.clock.jumped = 0;
  await disable(service, client);
  await deaf.repeatOnce();
  assert.equal(await tokenStatus(deaf, client), 401);
  await deaf.stop();
});
