import assert from "node:assert/strict";
import { type Client, newClient } from "../../../server/oauth/clients.ts";
import { createClient, findClient, rememberClients } from "../../../server/store/clients.ts";
import { START } from "../../support/service.ts";

function makeClient(name = "Test"): Client {
  const random = (length: number) => crypto.getRandomValues(new Uint8Array(length));
  return newClient({ name, scopes: [] }, { now: START, random }).client;
}

Deno.test("findClient() finds what createClient() stored, by its exact id", async () => {
  using kv = await Deno.openKv(":memory:");
  const client = makeClient();
  await createClient(kv, client);
  await createClient(kv, makeClient());
  assert.deepEqual(await findClient(kv, client.clientId), client);
  for (const clientId of ["", "unknown", `${client.clientId} `, client.clientId.slice(1)]) {
    assert.equal(await findClient(kv, clientId), undefined, clientId);
  }
});

Deno.test("createClient() leaves the client that has the id when it is taken", async () => {
  using kv = await Deno.openKv(":memory:");
  const client = makeClient("First");
  await createClient(kv, client);
  const second = { ...makeClient("Second"), clientId: client.clientId };
  await assert.rejects(createClient(kv, second), new RegExp(client.clientId));
  assert.deepEqual(await findClient(kv, client.clientId), client);
});

// A key in KV holds 2,048 bytes, and the id comes from the request.
Deno.test("findClient() finds nothing when the id is longer than a key can be", async () => {
  using kv = await Deno.openKv(":memory:");
  for (const length of [128, 129, 682, 683, 2_048, 60_000]) {
    for (const character of ["a", "\0", "日", "💧"]) {
      assert.equal(await findClient(kv, character.repeat(length)), undefined);
    }
  }
});

Deno.test("rememberClients() reads a client once in 5 s when it is asked for again", async () => {
  using kv = await Deno.openKv(":memory:");
  const clock = { now: START };
  let reads = 0;
  const find = rememberClients((clientId) => {
    reads++;
    return findClient(kv, clientId);
  }, () => clock.now);
  const client = makeClient();
  await createClient(kv, client);

  assert.deepEqual(await find(client.clientId), client);
  await kv.set(["client", client.clientId], { ...client, disabled: true });
  clock.now = START + 4_999;
  assert.deepEqual(await find(client.clientId), client);
  assert.equal(reads, 1);
  clock.now = START + 5_000;
  assert.deepEqual(await find(client.clientId), { ...client, disabled: true });
  assert.equal(reads, 2);

  // The 5 s count from the read, not from the last request.
  clock.now = START + 9_999;
  await find(client.clientId);
  assert.equal(reads, 2);
  clock.now = START + 10_000;
  await find(client.clientId);
  assert.equal(reads, 3);
});

Deno.test("rememberClients() counts the 5 s from the start of a read when the read takes long", async () => {
  const clock = { now: START };
  const client = makeClient();
  const found: (Client | undefined)[] = [client, { ...client, disabled: true }];
  const find = rememberClients(() => {
    const value = found.shift();
    // While the read is under way, the record changes and its time passes.
    clock.now += 4_000;
    return Promise.resolve(value);
  }, () => clock.now);
  assert.deepEqual(await find(client.clientId), client);
  clock.now = START + 5_000;
  assert.equal((await find(client.clientId))?.disabled, true);
});

Deno.test("rememberClients() looks again when there was no client with the id", async () => {
  using kv = await Deno.openKv(":memory:");
  const find = rememberClients((clientId) => findClient(kv, clientId), () => START);
  const client = makeClient();
  assert.equal(await find(client.clientId), undefined);
  await createClient(kv, client);
  assert.deepEqual(await find(client.clientId), client);
});

Deno.test("rememberClients() tells clients apart, and finds them all, when there are many", async () => {
  using kv = await Deno.openKv(":memory:");
  const find = rememberClients((clientId) => findClient(kv, clientId), () => START);
  const clients = Array.from({ length: 1_100 }, (_, number) => makeClient(`Client ${number}`));
  for (const client of clients) await createClient(kv, client);
  for (let round = 0; round < 2; round++) {
    for (const client of clients) {
      assert.equal((await find(client.clientId))?.name, client.name);
    }
  }
});
