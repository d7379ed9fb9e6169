import assert from "node:assert/strict";
import { join } from "node:path";
import { VERSION } from "../../../shared/version.ts";
import { freePort } from "../../support/free_port.ts";
import { OPERATOR_KEY } from "../../support/operator.ts";
import { type OtlpReceiver, receiveOtlp } from "../../support/metrics.ts";
import { listenTo } from "../../support/receiver.ts";
import { makeTestFolder, startService } from "../../support/process.ts";
import {
  issueClient,
  operate,
  readStats,
  type Serving,
  statusOf,
} from "../../support/process_requests.ts";
import { readDocument } from "../../support/project_files.ts";
import { form, getAccessToken, json } from "../../support/service.ts";

/** Sends a request; gives the status of its answer. */
const request = (service: Serving, path: string, init?: RequestInit) =>
  statusOf(service.request(path, init));

/** The value of a counter or gauge, or the number of a histogram's values, by an attribute. */
function valueOf(receiver: OtlpReceiver, metric: string, attributes: Record<string, unknown> = {}) {
  const wanted = Object.entries(attributes);
  return receiver.points(metric)
    .find((point) => wanted.every(([name, value]) => point.attributes[name] === value))?.value;
}

/** Confirms an address by the link in its letter; gives the code in the person's link to recommend. */
async function confirm(service: Serving, letter: string): Promise<string | undefined> {
  const [path, t] = /\/place\/\?t=(\S+)/.exec(letter)!;
  assert.equal(await request(service, "/place/confirm", form({ t: t! })), 303);
  const page = await (await service.request(path)).text();
  return /\?r=(\w{10})/.exec(page)?.[1];
}

Deno.test("main() exports over OTLP the metrics that server/docs/operate.md lists, and no data of people", async (t) => {
  await using folder = await makeTestFolder();
  const variables = { KV_PATH: join(folder.path, "kv.sqlite3"), OPERATOR_KEY };
  {
    // Another process, as ages are read at the start and then once a minute.
    await using service = await startService(variables);
    for (const path of ["/counters/verify", "/backup"]) {
      await t.step(path, async () => {
        const response = await operate(service, path);
        // The work goes on until its answer is read.
        assert.equal(response.status, 200, await response.text());
      });
    }
  }
  await using receiver = receiveOtlp();
  // It takes the letters to all but one, and the events about all but one.
  const letters = new Map<string, PromiseWithResolvers<string>>();
  const letterTo = (email: string) => {
    const letter = letters.get(email) ?? Promise.withResolvers<string>();
    letters.set(email, letter);
    return letter;
  };
  await using mailed = listenTo(({ path, body }) => {
    const { to, text } = JSON.parse(body);
    if (path === "/letters") letterTo(to).resolve(text);
    const status = body.includes("stored@") ? 200 : 422;
    return new Response("{}", { status, headers: { Connection: "close" } });
  });
  await using backups = await makeTestFolder("waitlist backups ");
  const sending = {
    BACKUP_URL: backups.path,
    MAIL_URL: `${mailed.url}/letters`,
    MAIL_FROM: "Example Company <hello@example.com>",
    MAIL_TOKEN: "token-of-the-mail-api",
    WEBHOOK_URL: `${mailed.url}/events`,
    WEBHOOK_SECRET: `whsec_${btoa("a".repeat(32))}`,
    REFERRALS: "on",
  };
  const secrets: string[] = [];
  {
    await using service = await startService({
      ...variables,
      ...sending,
      ...receiver.variables,
    });
    const signUp = (fields: Record<string, unknown>) =>
      request(
        service,
        "/api/v1/waitlist?email=query@example.com",
        json({ consent: true, ...fields }),
      );
    await signUp({ email: "stored@example.com" });
    const code = await confirm(service, await letterTo("stored@example.com").promise);
    const path = `/api/v1/waitlist?r=${code}`;
    await request(service, path, json({ consent: true, email: "friend+stored@example.com" }));
    await confirm(service, await letterTo("friend+stored@example.com").promise);
    await signUp({ email: "unwanted@example.com" });
    await signUp({ email: "honeypot@example.com", website: "x" });
    await signUp({ email: "refused@example" });
    const credentials = await issueClient(service);
    const token = await getAccessToken(service, credentials);
    await readStats(service, token);
    secrets.push(token, credentials.clientSecret, credentials.clientId, OPERATOR_KEY);
    await request(service, "/privacy/?email=query@example.com");
    while (await request(service, "/api/v1/path@example.com") !== 429);
    for (const name of ["requests.refused", "letters.refused", "events.refused"]) {
      await receiver.until(`waitlist.${name}`, (points) => points.length > 0);
    }
    // Right after an export; see `receiveOtlp()`.
  }

  const units = receiver.units();
  const value = (metric: string, attributes?: Record<string, unknown>) =>
    valueOf(receiver, metric, attributes);
  const answers = (method: string, status: number, route?: string) =>
    value("waitlist.requests", {
      "http.request.method": method,
      "http.response.status_code": status,
      "http.route": route,
    });
  assert.equal(answers("POST", 200, "/api/v1/waitlist"), 4);
  assert.equal(answers("POST", 422, "/api/v1/waitlist"), 1);
  assert.equal(answers("POST", 201, "/operator/v1/clients"), 1);
  assert.equal(answers("GET", 200, "/privacy/"), 1);
  assert.equal(answers("GET", 429), 1);
  assert.equal(value("waitlist.requests.refused", { "waitlist.limit": "default" }), 1);
  const outcomes = ["accepted", "honeypot", "invalid_email"].map((outcome) =>
    value("waitlist.sign_ups", { "waitlist.outcome": outcome })
  );
  assert.deepEqual(outcomes, [3, 1, 1]);
  assert.equal(value("waitlist.referrals", { "waitlist.outcome": "not_counted" }), 1);
  for (const [about, kind] of [["letters", "confirmation"], ["events", "signup.joined"]]) {
    const counted = ["sent", "refused"].map((outcome) =>
      value(`waitlist.${about}.${outcome}`, { "waitlist.kind": kind })
    );
    assert.deepEqual(counted, [2, 1], about);
  }
  assert.equal(value("waitlist.tokens.issued"), 1);
  assert.equal(value("waitlist.batch.size", { "waitlist.batch.name": "sign_ups" }), 3);
  for (const operation of ["get", "list", "commit"]) {
    const attributes = { "db.operation.name": operation, "db.system.name": "deno.kv" };
    assert.ok(value("db.client.operation.duration", attributes)! > 0, operation);
  }
  for (const thing of ["signing_key", "verify", "backup"]) {
    const age = value(`waitlist.${thing}.age`);
    assert.ok(age !== undefined && age > 0 && age < 600, `${thing}: ${age}`);
  }
  assert.ok(value("http.server.request.duration", { "http.response.status_code": 429 })! > 0);

  const table = (await readDocument("server/docs/operate.md")).matchAll(
    /^\| `((?:waitlist|db|http)\.\S+)`/gm,
  );
  assert.deepEqual(
    Array.from(table, ([, name]) => name).toSorted(),
    Object.keys(units).filter((name) => !name.startsWith("v8js.")).toSorted(),
  );
  assert.deepEqual(
    ["waitlist.requests", "waitlist.sign_ups", "waitlist.tokens.issued", "waitlist.batch.size"]
      .map((name) => units[name]),
    ["{request}", "{sign_up}", "{token}", "{item}"],
  );

  // The names that Prometheus makes of them: https://prometheus.io/docs/guides/opentelemetry/
  const known = new Set(
    Object.entries(units).flatMap(([name, unit]) => {
      const base = name.replaceAll(".", "_");
      const measured = unit === "s" ? `${base}_seconds` : base;
      return [
        ...[measured, `${measured}_total`, `${measured}_ratio`],
        ...["bucket", "count"].map((part) => `${measured}_${part}`),
      ];
    }),
  );
  for (const file of ["grafana_dashboard.json", "prometheus_rules.yaml"]) {
    await t.step(file, async () => {
      const text = await readDocument(`server/deploy/${file}`);
      const names = text.match(/\b(?:waitlist|db|http)_\w+(?=[[{) ]|$)/gm)!
        .filter((name) => !/_(kind|limit|outcome|code|name)$/.test(name));
      assert.ok(names.length > 10);
      assert.deepEqual(names.filter((name) => !known.has(name)), []);
    });
  }

  assert.deepEqual([...new Set(receiver.exports.map(({ path }) => path))], ["/v1/metrics"]);
  const sent = receiver.exports.map(({ body }) => body).join("\n");
  // The process that started the service exports nothing itself.
  for (const { body } of receiver.exports.filter(({ body }) => body.length > 2)) {
    const version = /"service\.version",\s+"value": \{\s+"stringValue": "([^"]+)"/.exec(body);
    assert.equal(version?.[1], VERSION);
  }
  for (const text of ["@", "example.com", "127.0.0.1", ...secrets]) {
    assert.ok(!sent.includes(text), `the export has ${text}`);
  }
});

// Deno 2.5 waits for the collector without end.
const ignore = Deno.version.deno.startsWith("2.5.");
const name = "main() ends when the collector of its metrics does not answer";

Deno.test({ name, ignore }, async () => {
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const connections: Deno.Conn[] = [];
  const accepting = (async () => {
    for await (const connection of listener) connections.push(connection);
  })();
  const service = await startService({
    OTEL_DENO: "true",
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${listener.addr.port}`,
  });
  await request(service, "/api/v1/status");
  const { code, stderr } = await service.end("SIGTERM");
  listener.close();
  await accepting;
  assert.ok(connections.length > 0, "nothing was exported");
  for (const connection of connections) connection.close();
  assert.equal(code, 0, stderr);
  assert.match(stderr, /"event":"stopped"/);
});

Deno.test("main() logs that the collector accepts no metrics when nothing listens at the collector's address", async () => {
  await using service = await startService({
    OTEL_DENO: "true",
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${freePort()}`,
  });
  const line = await service.logged(
    /{[^\n]+"event":"the OpenTelemetry collector does not accept metrics"[^\n]+}/,
  );
  assert.match(line ?? "", /"error":"[^"]*refused/);
});
