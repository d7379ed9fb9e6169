import assert from "node:assert/strict";
import { decodeProtectedHeader } from "jose";
import { startOperatedService } from "../../../support/operator.ts";
import { createTestClient, getAccessToken } from "../../../support/service.ts";
import { requestStats } from "../../../support/tokens.ts";

Deno.test("rotateKeys makes a key that signs a minute later, without one refused token", async () => {
  await using service = await startOperatedService();
  const client = await createTestClient(service);
  const tokens: string[] = [];
  const expectAll = async () => {
    tokens.push(await getAccessToken(service, client));
    for (const token of tokens) {
      const response = await requestStats(service, { authorization: `Bearer ${token}` });
      assert.equal(response.status, 200);
      await response.body?.cancel();
    }
  };
  await expectAll();
  const response = await service.operate("/keys/rotate", undefined, { method: "POST" });
  assert.equal(response.status, 200);
  const signsFrom = new Date(service.clock.now + 60_000).toISOString();
  assert.deepEqual(await response.json(), { outcome: "begun", keyId: "2", signsFrom });
  service.clock.now += 1;
  const again = await service.operate("/keys/rotate", undefined, { method: "POST" });
  assert.deepEqual(await again.json(), { outcome: "under_way", keyId: "2", signsFrom });
  service.clock.now -= 1;
  for (let seconds = 20; seconds <= 100; seconds += 20) {
    service.clock.now += 20_000;
    await service.repeatOnce();
    await expectAll();
  }
  const kids = tokens.map((token) => decodeProtectedHeader(token).kid);
  assert.deepEqual([kids[0], kids.at(-1)], ["1", "2"]);
});
