/** The examples for proxies: nginx in server/docs/deploy.md, "A proxy", and server/deploy/Caddyfile. */
import assert from "node:assert/strict";
import { startPostgres, test } from "../../support/postgres.ts";
import { outputOf } from "../../support/process.ts";
import { json } from "../../support/service.ts";
import { startServer } from "../../support/victim.ts";
import { CLUSTER_BASE_URL, startCluster } from "./support/cluster.ts";
import { isInstalled, startCaddy, startNginx } from "./support/proxies.ts";
import { assertEachOnce, sendSignUps } from "./support/sign_up_load.ts";

const PROXIES = ([
  { program: "nginx", start: startNginx, moved: 301 },
  { program: "caddy", start: startCaddy, moved: 308 },
] as const).filter(({ program }) => isInstalled(program));

for (const { program, start, moved } of PROXIES) {
  test(`Processes behind ${program} are reached by TLS, and count requests by the caller's source address`, async (t) => {
    await using cluster = await startCluster();
    await using proxy = await start(cluster.servers.map(({ address }) => address));

    const status = await proxy.request("/api/v1/status");
    assert.equal(status.status, 200);
    assert.equal(status.headers.get("ratelimit-limit"), "120");
    assert.equal((await status.json()).openapi, `${CLUSTER_BASE_URL}/openapi.json`);

    const joined = await proxy.request(
      "/api/v1/waitlist",
      json({ email: "ada@example.com", consent: true }),
    );
    assert.equal(joined.status, 200, await joined.text());
    // Far above nginx's own bound too, which would answer in other words.
    for (const size of [65_537, 3_000_000]) {
      await t.step(`${size} bytes`, async () => {
        const large = await proxy.request("/api/v1/waitlist", json({ email: "a".repeat(size) }));
        assert.equal(large.status, 413);
        assert.equal((await large.json()).error, "payload_too_large");
      });
    }

    // However many addresses a caller makes up, the one that the proxy saw is the one that counts.
    const statuses = new Set<number>();
    for (let n = 0; n < 300; n++) {
      const response = await proxy.request("/api/v1", {
        headers: { "X-Forwarded-For": `198.51.${n >> 8}.${n & 255}` },
      });
      statuses.add(response.status);
      await response.body?.cancel();
    }
    assert.deepEqual([...statuses], [200, 429]);

    const { port, plainPort } = proxy;
    for (const address of ["127.0.0.1", "::1"]) {
      await t.step(address, async () => {
        const curl = (written: string, url: string, at: number) =>
          outputOf([
            ...["curl", "-sk", "-o", "/dev/null", "-w", written],
            ...["--resolve", `localhost:${at}:${address}`, url],
          ]);
        const url = `https://localhost:${port}/api/v1/status`;
        const answer = await curl("%{http_code} HTTP/%{http_version}", url, port);
        assert.equal(answer, "200 HTTP/2");
        const plain = `http://localhost:${plainPort}/place/?t=token`;
        const led = await curl("%{http_code} %{redirect_url}", plain, plainPort);
        const target = /^(\d+) https:\/\/localhost(?::\d+)?\/place\/\?t=token$/.exec(led);
        assert.equal(target?.[1], String(moved), led);
      });
    }
  });

  // server/docs/deploy.md, "Restart without a failed request".
  test(`No request fails while two processes behind ${program} are restarted one after the other`, async () => {
    await using postgres = await startPostgres();
    const variables = { ...postgres.variables, TRUSTED_PROXY_HOPS: "2" };
    await using first = await startServer(variables);
    await using second = await startServer(variables);
    await using proxy = await start([first.address, second.address], true);
    const { refused, acknowledged } = await sendSignUps({ servers: [proxy] }, async () => {
      for (const server of [first, second, first, second]) {
        await server.stop();
        await server.start();
        for (let isReady = false; !isReady;) {
          const response = await server.request("/ready");
          await response.body?.cancel();
          isReady = response.ok;
        }
      }
    });
    assert.equal(refused, 0);
    await using store = await postgres.open();
    await assertEachOnce(store, acknowledged);
  });
}
