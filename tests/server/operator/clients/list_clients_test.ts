import assert from "node:assert/strict";
import { startOperatedService } from "../../../support/operator.ts";
import {
  createTestClient,
  getAccessToken,
  SANDBOX_CLIENT,
  START,
} from "../../../support/service.ts";

Deno.test("listClients answers all clients by their id, without anything of their secrets", async () => {
  await using service = await startOperatedService();
  const issued = await Promise.all(["Dashboard", "CI"].map(async (name) => {
    const response = await service.operate("/clients", { name, scopes: [] });
    return await response.json();
  }));
  const response = await service.operate("/clients");
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

Deno.test("listClients shows the UTC day on which a client last got a token", async () => {
  await using service = await startOperatedService();
  const client = await createTestClient(service);
  const idle = await createTestClient(service);
  const published = { clientId: SANDBOX_CLIENT, clientSecret: SANDBOX_CLIENT };
  await getAccessToken(service, client);
  await getAccessToken(service, published, "/sandbox");
  service.clock.now = START + 13 * 60 * 60 * 1000;
  await getAccessToken(service, client);
  await getAccessToken(service, { ...idle, clientSecret: "wrong" });
  await service.stop();

  const { clients } = await (await service.operate("/clients")).json();
  const days = clients.map((client: { client_id: string; lastUsed?: string }) =>
    [client.client_id, client.lastUsed] as const
  );
  assert.deepEqual(
    new Map(days),
    new Map([[client.clientId, "2026-11-22"], [idle.clientId, undefined]]),
  );
});

Deno.test("disableClient and enableClient show a client as listClients does", async () => {
  await using service = await startOperatedService();
  const client = await createTestClient(service);
  await getAccessToken(service, client);
  await service.stop();
  for (const [change, disabled] of [["disable", true], ["enable", false]] as const) {
    const init = { method: "POST" };
    const changed = await service.operate(`/clients/${client.clientId}/${change}`, undefined, init);
    const { clients } = await (await service.operate("/clients")).json();
    assert.deepEqual(await changed.json(), clients[0]);
    assert.equal(clients[0].disabled, disabled);
    assert.equal(clients[0].lastUsed, "2026-11-21");
  }
});
