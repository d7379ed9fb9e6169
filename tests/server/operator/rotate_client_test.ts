import assert from "node:assert/strict";
import { assertRefused, type OperatedService, refusalOf, test } from "../../support/operator.ts";
import { createTestClient } from "../../support/service.ts";
import { type Credentials, inBody, requestToken } from "../../support/tokens.ts";

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
  const response = await service.operate(`/clients/${clientId}/rotate`, { overlapSeconds });
  assert.equal(response.status, 200);
  const { client_id, client_secret, ...rest } = await response.json();
  return { clientId: client_id, clientSecret: client_secret, ...rest };
}

test("rotateClient keeps the old secret beside the new one for the overlap, and not longer", async (service) => {
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

test("rotateClient ends every old secret at once when the overlap is 0", async (service) => {
  const first = await createTestClient(service);
  const second = await rotate(service, first.clientId, 3_600);
  const third = await rotate(service, first.clientId, 0);
  assert.equal(third.oldSecretUntil, undefined);
  assert.ok(!await works(service, first));
  assert.ok(!await works(service, { ...first, clientSecret: second.clientSecret }));
  assert.ok(await works(service, { ...first, clientSecret: third.clientSecret }));
});

test("rotateClient leaves an older secret its promised time when it rotates again", async (service) => {
  const first = await createTestClient(service);
  const start = service.clock.now;
  const second = await rotate(service, first.clientId, 86_400);
  await rotate(service, first.clientId, 60);
  assert.ok(await works(service, first));
  assert.ok(await works(service, { ...first, clientSecret: second.clientSecret }));
  service.clock.now = start + 120_000;
  assert.ok(await works(service, first));
  assert.ok(!await works(service, { ...first, clientSecret: second.clientSecret }));
  service.clock.now = start + DAY;
  assert.ok(!await works(service, first));
});

test("rotateClient answers 409 when the client has five valid secrets, and 0 is the way out", async (service) => {
  const { clientId } = await createTestClient(service);
  for (let secrets = 2; secrets <= 5; secrets++) await rotate(service, clientId, 3_600);
  const refused = service.operate(`/clients/${clientId}/rotate`, { overlapSeconds: 60 });
  assert.match(
    await refusalOf(refused),
    /^409 conflict: .+ 5 valid secrets; .+ an overlap of 0\.$/,
  );
  await rotate(service, clientId, 0);
});

test("rotateClient loses no rotation when two come at once", async (service) => {
  const first = await createTestClient(service);
  const both = await Promise.all([1, 2].map(() => rotate(service, first.clientId, 3_600)));
  for (const each of [first, ...both]) assert.ok(await works(service, each));
});

test("rotateClient names the field or the client when it cannot be", async (service) => {
  const { clientId } = await createTestClient(service);
  const message = /^Field 'overlapSeconds' is .+; give a whole number of seconds from 0 to/;
  const wrong = [undefined, -1, 1.5, "7d", 7_776_001, null];
  const bodies = wrong.map((overlapSeconds): [object, RegExp] => [{ overlapSeconds }, message]);
  await assertRefused(service, `/clients/${clientId}/rotate`, bodies);
  for (const id of ["nobody", "a%20b", "x".repeat(3_000)]) {
    for (const [change, body] of [["rotate", { overlapSeconds: 0 }], ["enable"]] as const) {
      const refused = service.operate(`/clients/${id}/${change}`, body, { method: "POST" });
      assert.match(await refusalOf(refused), /^404 not_found: There is no client '/);
    }
  }
});
