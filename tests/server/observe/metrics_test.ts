import assert from "node:assert/strict";
import { createLog } from "../../../server/runtime/mod.ts";
import { createMetrics } from "../../../server/observe/metrics.ts";
import { createObserver } from "../../../server/observe/mod.ts";
import { faultyKv } from "../../support/faulty_kv.ts";
import { recordMetrics } from "../../support/metrics.ts";
import { startOperatedService } from "../../support/operator.ts";
import { recordOf } from "../../support/records.ts";
import { confirmPerson, tokenOf } from "../../support/self_service.ts";
import {
  createTestClient,
  form,
  getAccessToken,
  json,
  SANDBOX_CLIENT,
  serveOn,
  START,
  startTestService,
  WITH_MAIL,
} from "../../support/service.ts";
import { openMemoryKv } from "../../support/memory_kv.ts";

const JOIN = "/api/v1/waitlist";

const consented = (further: Record<string, unknown> = {}) =>
  json({ email: "ada@example.com", consent: true, ...further });

Deno.test("createMetrics() returns undefined when no exporter of metrics is set up", () => {
  assert.equal(createMetrics(), undefined);
  const log = createLog({ level: "info", now: () => START, write() {} });
  const { metrics, traceRoute } = createObserver(log);
  assert.deepEqual({ metrics, traceRoute }, { metrics: undefined, traceRoute: undefined });
});

Deno.test("countRequest() counts answers by route, status and method, without any text from the request", async () => {
  using metrics = recordMetrics();
  await using service = await startOperatedService();
  await service.request("/sandbox/api/v1/status?visitor=ada@example.com");
  await service.request("/api/v1/waitlist", { method: "DELETE" });
  await service.request("/api/v1/ada@example.com");
  await service.operate("/clients/ada/disable", {});
  await service.request("/privacy/?visitor=ada@example.com", { method: "HEAD" });
  await service.request("/ada@example.com");
  await service.request("/api/v1/status", { method: "ADA" });
  const answer = (method: string, status: number, route?: string) => [1, {
    "http.request.method": method,
    "http.response.status_code": status,
    ...(route && { "http.route": route }),
  }];
  assert.deepEqual(metrics.recorded("waitlist.requests"), [
    answer("GET", 200, "/sandbox/api/v1/status"),
    answer("DELETE", 405, "/api/v1/waitlist"),
    answer("GET", 404),
    answer("POST", 404, "/operator/v1/clients/{client_id}/disable"),
    answer("HEAD", 200, "/privacy/"),
    answer("GET", 404),
    answer("_OTHER", 405, "/api/v1/status"),
  ]);
});

Deno.test("countReferral() records the outcome 'counted' or 'not_counted' for each confirmation of a referred person", async () => {
  using metrics = recordMetrics();
  await using service = await startTestService({ ...WITH_MAIL, REFERRALS: "on" });
  await confirmPerson(service, "ada@example.com");
  const { referralCode } = await recordOf(service.kv, "ada@example.com");
  await confirmPerson(service, "bob@example.com", referralCode);
  await confirmPerson(service, "eve+1@example.com", referralCode);
  const t = await tokenOf(service.kv, "bob@example.com", "no-id-of-a-record-here");
  await service.request("/place/confirm", form({ t }));
  assert.deepEqual(metrics.recorded("waitlist.referrals"), [
    [1, { "waitlist.outcome": "counted" }],
    [1, { "waitlist.outcome": "not_counted" }],
  ]);
});

Deno.test("countRefused() counts the refused requests of each limit separately", async () => {
  using metrics = recordMetrics();
  await using service = await startTestService();
  for (let sent = 0; sent < 32; sent++) await service.request("/api/v1/nowhere");
  for (let sent = 0; sent < 1_201; sent++) await service.request("/robots.txt");
  assert.deepEqual(metrics.recorded("waitlist.requests.refused"), [
    [1, { "waitlist.limit": "default" }],
    [1, { "waitlist.limit": "default" }],
    [1, { "waitlist.limit": "pages" }],
  ]);
});

Deno.test("countSignUp() counts the sign-ups of production by their outcome", async () => {
  using metrics = recordMetrics();
  using memory = await openMemoryKv();
  let isAway = false;
  const kv = faultyKv(memory, async (commit) => {
    if (isAway) throw new Error("KV is away");
    return await commit();
  });
  const service = await serveOn(kv);
  const bodies = [
    consented(),
    form({ email: "ada@example.com", consent: "on" }),
    consented({ website: "https://example.com" }),
    consented({ email: "nobody" }),
    consented({ consent: false }),
    consented({ lang: "fr" }),
    { ...consented(), body: "{" },
    { method: "POST", body: "text" },
  ];
  for (const body of bodies) await (await service.request(JOIN, body)).body?.cancel();
  await (await service.request(`/sandbox${JOIN}`, consented())).body?.cancel();
  isAway = true;
  await (await service.request("/api/waitlist", consented())).body?.cancel();
  isAway = false;
  await service.stop();
  assert.deepEqual(
    metrics.recorded("waitlist.sign_ups").map(([, attributes]) => attributes["waitlist.outcome"]),
    [
      "accepted",
      "accepted",
      "honeypot",
      "invalid_email",
      "consent_required",
      "invalid_request",
      "invalid_json",
      "unsupported_media_type",
      "failed",
    ],
  );
});

Deno.test("countToken() counts the access tokens of production, and not those of the sandbox", async () => {
  using metrics = recordMetrics();
  await using service = await startTestService();
  const sandbox = { clientId: SANDBOX_CLIENT, clientSecret: SANDBOX_CLIENT };
  await getAccessToken(service, sandbox, "/sandbox");
  assert.deepEqual(metrics.recorded("waitlist.tokens.issued"), []);
  await getAccessToken(service, await createTestClient(service));
  assert.deepEqual(metrics.recorded("waitlist.tokens.issued"), [[1, {}]]);
});

Deno.test("measureBatch() records how many sign-ups share a commit", async () => {
  using metrics = recordMetrics();
  await using service = await startTestService();
  const answers = [consented(), consented(), consented()].map((each) =>
    service.request(JOIN, each)
  );
  for (const answer of await Promise.all(answers)) await answer.body?.cancel();
  const sizes = metrics.recorded("waitlist.batch.size")
    .filter(([, attributes]) => attributes["waitlist.batch.name"] === "sign_ups");
  assert.deepEqual(sizes.map(([items]) => items), [3]);
});

Deno.test("measureKvCall() records each call to KV with the name of its operation", async () => {
  using metrics = recordMetrics();
  await using service = await startTestService();
  await (await service.request(JOIN, consented())).body?.cancel();
  const calls = metrics.recorded("db.client.operation.duration");
  const names = new Set(calls.map(([, attributes]) => attributes["db.operation.name"]));
  assert.deepEqual([...names].toSorted(), ["commit", "get", "list"]);
});

Deno.test("reportAges() reports the age of the signing key, of the last verification and of the last backup", async (t) => {
  using metrics = recordMetrics();
  await using service = await startOperatedService();
  const age = (thing: string) => metrics.observed(`waitlist.${thing}.age`);
  assert.deepEqual([age("signing_key"), age("verify"), age("backup")], [[[0, {}]], [], []]);

  await (await service.operate("/counters/verify", {})).text();
  await (await service.operate("/backup", {})).text();
  service.clock.now += 60_000;
  await service.repeatOnce();
  for (const thing of ["signing_key", "verify", "backup"]) {
    await t.step(`the age of ${thing} is 60 s`, () => {
      assert.deepEqual(age(thing), [[60, {}]]);
    });
  }
});
