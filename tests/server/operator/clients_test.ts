import assert from "node:assert/strict";
import type { ListedClient } from "../../../shared/operator_schemas.ts";
import {
  assertOperatorError,
  assertRefused,
  call,
  type OperatedService,
  readAudit,
  refusalOf,
  test,
} from "../../support/operator.ts";
import { createTestClient, getAccessToken, SANDBOX_CLIENT, START } from "../../support/service.ts";
import { type Credentials, inBody, requestToken, secretDigest } from "../../support/tokens.ts";
import { readOne } from "../../../server/store/kv/calls.ts";

test("listClients returns all clients in the order of their ids, without secrets and without digests of secrets", async ({ operate }) => {
  const issued = await Promise.all(["Dashboard", "CI"].map(async (name) => {
    const response = await operate("/clients", { name, scopes: [] });
    return await response.json();
  }));
  const response = await operate("/clients");
  assert.equal(response.status, 200);
  const text = await response.text();
  const expected = issued
    .map(({ client_id, name, createdAt }) => ({
      client_id,
      name,
      scopes: [],
      createdAt,
      disabled: false,
      secrets: [{ expiresAt: null }],
    }))
    .toSorted((a, b) => a.client_id < b.client_id ? -1 : 1);
  assert.deepEqual(JSON.parse(text), { clients: expected });
  for (const { client_secret } of issued) assert.ok(!text.includes(client_secret));
});

test("listClients shows the UTC day on which a client last got a token", async (service) => {
  const client = await createTestClient(service);
  const idle = await createTestClient(service);
  const published = { clientId: SANDBOX_CLIENT, clientSecret: SANDBOX_CLIENT };
  await getAccessToken(service, client);
  await getAccessToken(service, published, "/sandbox");
  service.clock.now = START + 13 * 60 * 60 * 1000;
  await getAccessToken(service, client);
  await assert.rejects(getAccessToken(service, { ...idle, clientSecret: "wrong" }), /^Error: 401 /);
  await service.stop();

  const { clients } = await (await service.operate("/clients")).json();
  const lastUse = ({ clientId }: { clientId: string }) =>
    clients.find((listed: ListedClient) => listed.client_id === clientId).lastUsed;
  assert.deepEqual([lastUse(client), lastUse(idle)], ["2026-11-22", undefined]);
});

test(
  "disableClient and enableClient return the changed client with the same fields as listClients",
  async (service, t) => {
    const client = await createTestClient(service);
    await getAccessToken(service, client);
    await service.stop();
    const changes = [["disable", true], ["disable", true], ["enable", false]] as const;
    for (const [change, disabled] of changes) {
      await t.step(change, async () => {
        const path = `/clients/${client.clientId}/${change}`;
        const changed = await call(service, path, undefined, "POST");
        const { clients } = await call(service, "/clients");
        assert.deepEqual(changed, clients[0]);
        assert.equal(clients[0].disabled, disabled);
        assert.equal(clients[0].lastUsed, "2026-11-21");
      });
    }
  },
);

test(
  "renameClient and deleteClient leave issued tokens valid, and write the client's name to the audit log",
  async (service, t) => {
    const { clientId, clientSecret } = await createTestClient(service);
    const credentials = { clientId, clientSecret };
    await getAccessToken(service, credentials);
    await service.stop();
    const path = `/clients/${clientId}`;
    const renamed = await call(service, `${path}/rename`, { name: "Sales" });
    const { clients: [client] } = await call(service, "/clients");
    assert.equal(client.name, "Sales");
    assert.deepEqual(renamed, client);
    assert.ok(await getAccessToken(service, credentials));
    await assertRefused(service, `${path}/rename`, [[{ name: " " }, /not only spaces/]]);

    assert.deepEqual(await call(service, `${path}/delete`, undefined, "POST"), client);
    assert.deepEqual(await call(service, "/clients"), { clients: [] });
    await assert.rejects(getAccessToken(service, credentials), /^Error: 401 /);
    assert.equal((await readOne(service.kv, ["client_use", clientId])).value, null);
    for (const body of [{ name: "Ghost" }, undefined]) {
      await t.step(body ? "rename" : "delete", async () => {
        const change = `${path}/${body ? "rename" : "delete"}`;
        const again = await service.operate(change, body, { method: "POST" });
        await assertOperatorError(again, 404, "not_found");
      });
    }
    for (const action of ["renameClient", "deleteClient"]) {
      await t.step(action, async () => {
        const entry = (await readAudit(service)).find((each) => each.action === action);
        assert.deepEqual([entry?.client_id, entry?.details], [clientId, { name: "Sales" }]);
      });
    }
  },
);

const SCOPE = "waitlist:stats:read";

test("createClient answers 201 with a client that can get tokens at once, and stores only the digest of the secret", async (service) => {
  const scopes = [SCOPE, SCOPE];
  const response = await service.operate("/clients", { name: "Dashboard", scopes });
  assert.equal(response.status, 201);
  const { client_id: clientId, client_secret: clientSecret, ...rest } = await response.json();
  const createdAt = "2026-11-21T12:00:20.000Z";
  assert.deepEqual(rest, { name: "Dashboard", scopes: [SCOPE], createdAt });
  assert.match(clientId, /^[\w-]{16}$/);
  assert.match(clientSecret, /^[\w-]{43}$/);

  assert.ok(await getAccessToken(service, { clientId, clientSecret }));
  const stored = await readOne(service.kv, ["client", clientId]);
  assert.deepEqual(stored.value, {
    clientId,
    name: "Dashboard",
    scopes: [SCOPE],
    secrets: [secretDigest(clientSecret)],
    createdAt,
  });
  assert.ok(!JSON.stringify(service.log).includes(clientSecret));
});

test("createClient names the field and stores nothing when the body is wrong", async (service) => {
  const named = { name: "Test", scopes: [] };
  await assertRefused(service, "/clients", [
    [[], /^The body must be a JSON object\.$/],
    [null, /^The body must be a JSON object\.$/],
    [{ scopes: [] }, /^Field 'name' is absent; give it 1 to 100 characters, not only spaces\.$/],
    [{ ...named, name: "" }, /^Field 'name' is ''; give it 1 to 100 characters/],
    [{ ...named, name: "\t" }, /^Field 'name' is '\t'; give it 1 to 100 characters/],
    [{ ...named, name: 7 }, /^Field 'name' is 7; give it 1 to 100 characters/],
    [{ ...named, name: "x".repeat(10_000) }, /^Field 'name' is 'x{40}…'; give it 1 to 100 char/],
    [{ name: "Test" }, /^Field 'scopes' is absent; give a list of scopes/],
    [{ ...named, scopes: SCOPE }, /^Field 'scopes' is 'waitlist:stats:read'; give a list/],
    [{ ...named, scopes: ["all"] }, /^Field 'scopes\.0' is 'all'; the only scope is waitlist:/],
    [{ ...named, scopes: [SCOPE, SCOPE.toUpperCase()] }, /^Field 'scopes\.1' is 'WAITLIST:STATS:/],
    [{ ...named, secret: "mine" }, /^Field 'secret' is not known here; leave it out\.$/],
  ]);
  assert.deepEqual(await (await service.operate("/clients")).json(), { clients: [] });
  const longest = await service.operate("/clients", { ...named, name: "ä".repeat(100) });
  assert.equal(longest.status, 201);
});

test(
  "createClient checks first the media type, then the size and then the JSON of a body",
  async ({ operate }, t) => {
    const body = JSON.stringify({ name: "Test", scopes: [] });
    const refusals: [string, string | Uint8Array<ArrayBuffer>, number, string][] = [
      ["text/plain", "x".repeat(70_000), 415, "unsupported_media_type"],
      ["application/x-www-form-urlencoded", body, 415, "unsupported_media_type"],
      ["application/json", "x".repeat(65_537), 413, "payload_too_large"],
      ["application/json", "{", 400, "invalid_json"],
      ["application/json", "", 400, "invalid_json"],
      ["application/json", new Uint8Array([34, 0xff, 34]), 400, "invalid_json"],
    ];
    for (const [contentType, text, status, code] of refusals) {
      await t.step(`${contentType}: ${code}`, async () => {
        const headers = { "Content-Type": contentType };
        const response = await operate("/clients", {}, { method: "POST", headers, body: text });
        await assertOperatorError(response, status, code);
      });
    }
    const headers = { "Content-Type": "Application/JSON; charset=utf-8" };
    const response = await operate("/clients", {}, { method: "POST", headers, body });
    assert.equal(response.status, 201);
  },
);

const DAY = 24 * 60 * 60 * 1000;

async function works(service: OperatedService, credentials: Credentials): Promise<boolean> {
  // Clients are remembered for 5 s.
  service.clock.now += 5_000;
  const response = await requestToken(service, {
    body: { grant_type: "client_credentials", ...inBody(credentials) },
  });
  await response.body?.cancel();
  assert.ok([200, 401].includes(response.status));
  return response.status === 200;
}

async function rotate(
  service: OperatedService,
  clientId: string,
  overlapSeconds: number,
): Promise<Credentials & { oldSecretUntil?: string }> {
  const rotated = await call(service, `/clients/${clientId}/rotate`, { overlapSeconds });
  const { client_id, client_secret, ...rest } = rotated;
  return { clientId: client_id, clientSecret: client_secret, ...rest };
}

test("rotateClient keeps the old secret valid exactly for the time of `overlap`", async (service) => {
  const old = await createTestClient(service);
  const start = service.clock.now;
  const { oldSecretUntil, ...rotated } = await rotate(service, old.clientId, 7 * 86_400);
  assert.equal(rotated.clientId, old.clientId);
  assert.equal(oldSecretUntil, new Date(start + 7 * DAY).toISOString());
  assert.ok(await works(service, rotated));
  assert.ok(await works(service, old));
  const { clients } = await (await service.operate("/clients")).json();
  assert.deepEqual(clients[0].secrets, [{ expiresAt: null }, { expiresAt: oldSecretUntil }]);

  service.clock.now = start + 7 * DAY - 5_001;
  assert.ok(await works(service, old), "until a millisecond before");
  service.clock.now = start + 7 * DAY - 5_000;
  assert.ok(!await works(service, old), "not from the moment on");
  assert.ok(await works(service, rotated));
  const later = await (await service.operate("/clients")).json();
  assert.deepEqual(later.clients[0].secrets, [{ expiresAt: null }]);
});

test("rotateClient answers 409 when the client has five valid secrets and the overlap is not 0", async (service) => {
  const { clientId } = await createTestClient(service);
  for (let secrets = 2; secrets <= 5; secrets++) await rotate(service, clientId, 3_600);
  const refused = service.operate(`/clients/${clientId}/rotate`, { overlapSeconds: 60 });
  assert.match(
    await refusalOf(refused),
    /^409 conflict: .+ 5 valid secrets; .+ an overlap of 0\.$/,
  );
  await rotate(service, clientId, 0);
});

test(
  "rotateClient names the field when its body is wrong, and names the client_id when the client is unknown",
  async (service, t) => {
    const { clientId } = await createTestClient(service);
    const message = /^Field 'overlapSeconds' is .+; give a whole number of seconds from 0 to/;
    const wrong = [undefined, -1, 1.5, "7d", 7_776_001, null];
    const bodies = wrong.map((overlapSeconds): [object, RegExp] => [{ overlapSeconds }, message]);
    await assertRefused(service, `/clients/${clientId}/rotate`, bodies);
    for (const id of ["nobody", "a%20b", "x".repeat(3_000)]) {
      for (const [change, body] of [["rotate", { overlapSeconds: 0 }], ["enable"]] as const) {
        await t.step(`${change} ${id.slice(0, 20)}`, async () => {
          const refused = service.operate(`/clients/${id}/${change}`, body, { method: "POST" });
          assert.match(await refusalOf(refused), /^404 not_found: There is no client '/);
        });
      }
    }
  },
);
