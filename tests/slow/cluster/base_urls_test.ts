/** Two real processes on one PostgreSQL that have different public addresses. @module */
import assert from "node:assert/strict";
import { runCli } from "../../cli/support/cli.ts";
import { OPERATOR_KEY } from "../../support/operator.ts";
import { startPostgres, test } from "../../support/postgres.ts";
import { startService } from "../../support/process.ts";

const URLS = ["https://one.example.com", "https://other.example.com"];
const EVENT = "processes of one store have different BASE_URLs";

test("two processes with different addresses say so in the log, in the overview and to doctor", async () => {
  await using postgres = await startPostgres();
  const { KV_URL } = postgres.variables;
  await using resources = new AsyncDisposableStack();
  const services = await Promise.all(URLS.map(async (BASE_URL) => {
    return resources.use(await startService({ KV_URL, BASE_URL, OPERATOR_KEY }));
  }));
  // Each knows the other once it has seen it renew its entry, which takes a minute or two.
  await Promise.all(services.map(({ logged }) => logged(new RegExp(`"event":"${EVENT}".*`))));
  for (const [n, service] of services.entries()) {
    const headers = { Authorization: `Bearer ${OPERATOR_KEY}` };
    const overview = await service.request("/operator/v1/overview", { headers });
    const text = JSON.stringify(await overview.json());
    assert.ok(text.includes(`have the BASE_URL ${URLS[1 - n]}, and this one has ${URLS[n]}`), text);
    const { hostname, port } = service.started;
    const WAITLIST_BASE_URL = `http://${hostname}:${port}`;
    const env = { WAITLIST_BASE_URL, WAITLIST_OPERATOR_KEY: OPERATOR_KEY };
    const { stdout, code } = await runCli(["doctor"], { env });
    assert.equal(code, 1);
    assert.match(stdout, /BASE_URL https:\/\/\w+\.example\.com, and this one has /);
  }
  const { stderr } = await services[0]!.end("SIGTERM");
  assert.equal(stderr.split(EVENT).length - 1, 1, "the log says it once an hour");
});
