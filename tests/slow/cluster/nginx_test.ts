import assert from "node:assert/strict";
import { DENOKV } from "../../support/denokv.ts";
import { json } from "../../support/service.ts";
import { CLUSTER_BASE_URL, startCluster } from "./support/cluster.ts";
import { NGINX, startNginx } from "./support/nginx.ts";

// The example of server/README.md, "On a machine of your own".
Deno.test("a cluster is reached by TLS, and counts the caller's own address, behind nginx", {
  ignore: DENOKV === undefined || !NGINX,
}, async () => {
  await using cluster = await startCluster();
  await using nginx = await startNginx(cluster.servers.map(({ address }) => address));

  const status = await nginx.request("/api/v1/status");
  assert.equal(status.status, 200);
  assert.equal(status.headers.get("ratelimit-limit"), "120");
  assert.equal((await status.json()).openapi, `${CLUSTER_BASE_URL}/openapi.json`);

  const joined = await nginx.request(
    "/api/v1/waitlist",
    json({ email: "ada@example.com", consent: true }),
  );
  assert.equal(joined.status, 200, await joined.text());
  // Far above nginx's own bound too, which would answer in other words.
  for (const size of [65_537, 3_000_000]) {
    const large = await nginx.request("/api/v1/waitlist", json({ email: "a".repeat(size) }));
    assert.equal(large.status, 413);
    assert.equal((await large.json()).error, "payload_too_large");
  }

  // However many addresses a caller makes up, the one that nginx saw is the one that counts.
  const statuses = new Set<number>();
  for (let n = 0; n < 300; n++) {
    const response = await nginx.request("/api/v1", {
      headers: { "X-Forwarded-For": `198.51.${n >> 8}.${n & 255}` },
    });
    statuses.add(response.status);
    await response.body?.cancel();
  }
  assert.deepEqual([...statuses], [200, 429]);
});
