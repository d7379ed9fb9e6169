import assert from "node:assert/strict";
import { startOperatedService } from "../../../support/operator.ts";

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
    .map(({ clientId, name, createdAt }) => ({
      clientId,
      name,
      scopes: [],
      createdAt,
      disabled: false,
      secrets: [{}],
    }))
    .toSorted((a, b) => a.clientId < b.clientId ? -1 : 1);
  assert.deepEqual(JSON.parse(text), { clients: expected });
  for (const { clientSecret } of issued) assert.ok(!text.includes(clientSecret));
});
