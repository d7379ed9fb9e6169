import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { OPERATOR_KEY } from "../../support/operator.ts";
import { makeTestFolder, startService, type TestVariables } from "../../support/process.ts";
import { issueClient, readStats } from "../../support/process_requests.ts";
import { form, getAccessToken, json } from "../../support/service.ts";
import type { Credentials } from "../../support/tokens.ts";

Deno.test("main() listens on HOST and, with PORT=0, on a free port", {
  // Only Linux has all of 127.0.0.0/8 without being told.
  ignore: Deno.build.os !== "linux",
}, async () => {
  await using service = await startService({ HOST: "127.0.0.2" });
  const { baseUrl, hostname, port } = service.started;
  assert.equal(hostname, "127.0.0.2");
  assert.equal(baseUrl, `http://localhost:${port}`);
  const response = await service.request("/api/v1/status");
  assert.equal(response.status, 200);
  assert.equal((await response.json()).docs, `${baseUrl}/developers/`);
  await assert.rejects(
    Deno.connect({ hostname: "127.0.0.1", port }),
    Deno.errors.ConnectionRefused,
  );
  assert.equal((await service.end("SIGTERM")).stdout, "", "addresses go to a terminal only");
});

Deno.test("main() starts and logs a warning when every account may read the file of a secret", async () => {
  // A variable cannot name a path with a comma.
  const path = await Deno.makeTempFile();
  await Deno.writeTextFile(path, OPERATOR_KEY);
  await Deno.chmod(path, 0o644);
  await using service = await startService({ OPERATOR_KEY_FILE: path });
  const { stderr } = await service.end("SIGTERM");
  const lines = stderr.trimEnd().split("\n").map((line) => JSON.parse(line));
  const warnings = lines.filter(({ event }) =>
    event === "a file or folder is open to other accounts"
  );
  assert.deepEqual(warnings.map(({ level, path }) => [level, path]), [["warn", path]]);
  assert.ok(!stderr.includes(OPERATOR_KEY));
  await Deno.remove(path);
});

Deno.test("main() works under the start task's permissions when most variables are set", async () => {
  await using folder = await makeTestFolder();
  const variables = {
    BASE_URL: "https://waitlist.example.org/",
    PORT: "0",
    HOST: "127.0.0.1",
    CONTACT: "https://example.org/contact",
    SERVICE_NAME: "early-access",
    KV_PATH: join(folder.path, "no folder yet, nor this", "kv.sqlite3"),
    TRUSTED_PROXY_HOPS: "1",
    SANDBOX_CLIENT: "try-me",
    OPERATOR_KEY: "an operator's key of many letters".replaceAll(" ", "-"),
    MAIL_URL: "file:mail",
    MAIL_FROM: "Example Häuser <hello@example.org>",
    MAIL_TOKEN: "the-token-of-a-mail-api",
    MAIL_PER_MINUTE: "60",
    UNCONFIRMED_DAYS: "7",
    WEBHOOK_URL: "https://example.org/hook",
    WEBHOOK_SECRET: `whsec_${btoa("a secret that signs events")}`,
    CONTENT_PATH: "./content",
    CONTENT_SCRIPTS: "on",
    EMBED_ORIGINS: "https://www.example.org",
    SITE_NAME: "Example Häuser",
    LOG_LEVEL: "debug",
  } satisfies TestVariables;
  await using service = await startService(variables);
  assert.equal(service.started.baseUrl, "https://waitlist.example.org");

  const status = await (await service.request("/api/v1/status")).json();
  assert.equal(status.service, "early-access-web");
  assert.equal(status.openapi, "https://waitlist.example.org/openapi.json");
  const document = await (await service.request("/openapi.json")).json();
  assert.deepEqual(document.info.contact, {
    name: "Example Häuser",
    url: "https://example.org/contact",
  });
  assert.equal(service.started.store, variables.KV_PATH);
  const mode = async (path: string) => (await Deno.stat(path)).mode! & 0o777;
  assert.equal(await mode(variables.KV_PATH), 0o600);
  assert.equal(await mode(dirname(variables.KV_PATH)), 0o700);
  const credentials = { clientId: "try-me", clientSecret: "try-me" };
  assert.ok(await getAccessToken(service, credentials, "/sandbox"));

  const { code, stdout, stderr } = await service.end("SIGTERM");
  assert.equal(code, 0);
  for (const secret of [variables.OPERATOR_KEY, variables.MAIL_TOKEN, variables.WEBHOOK_SECRET]) {
    assert.ok(!(stdout + stderr).includes(secret));
  }
});

Deno.test("main() keeps sign-ups, clients and tokens when it is stopped and started again", async () => {
  await using folder = await makeTestFolder();
  const variables = {
    BASE_URL: "https://waitlist.example.org",
    KV_PATH: join(folder.path, "kv.sqlite3"),
    OPERATOR_KEY,
  };
  const figures = {
    total: 2,
    last7Days: 2,
    last30Days: 2,
    byLang: { de: 1, en: 1 },
    byRole: {},
    byBuilding: {},
    bySource: { hero: 1 },
    environment: "production",
  };
  let token: string;
  let credentials: Credentials;
  {
    await using service = await startService(variables);
    credentials = await issueClient(service);
    const ada = { email: "ada@example.com", consent: true, source: "hero" };
    const joined = await service.request("/api/v1/waitlist", json(ada));
    assert.equal(joined.status, 200);
    assert.deepEqual(await joined.json(), { accepted: true });

    const grace = { email: "grace@example.com", consent: "on", lang: "de" };
    const thanked = await service.request("/api/v1/waitlist", form(grace));
    assert.equal(thanked.status, 303);
    assert.equal(thanked.headers.get("location"), "/de/danke/");
    assert.equal(await thanked.text(), "");

    token = await getAccessToken(service, credentials);
    assert.deepEqual(await readStats(service, token), figures);

    const { code, stderr } = await service.end("SIGTERM");
    assert.equal(code, 0);
    for (const secret of ["example.com", token, credentials.clientSecret, OPERATOR_KEY]) {
      assert.ok(!stderr.includes(secret), stderr);
    }
  }
  await using service = await startService(variables);
  assert.deepEqual(await readStats(service, token), figures);
  assert.deepEqual(await readStats(service, await getAccessToken(service, credentials)), figures);
});

Deno.test("Over a real connection, main() answers HEAD with the headers of GET and without a body", async (t) => {
  await using service = await startService();
  for (const path of ["/api/v1", "/openapi.json"]) {
    await t.step(path, async () => {
      const get = await service.request(path);
      const length = (await get.arrayBuffer()).byteLength;
      using connection = await service.connect();
      const request = `HEAD ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
      await connection.write(new TextEncoder().encode(request));
      const answer = await new Response(connection.readable).text();
      const [head = "", body] = answer.split("\r\n\r\n");
      assert.match(head, /^HTTP\/1\.1 200 OK\r\n/);
      assert.match(head, new RegExp(`^content-length: ${length}\r?$`, "mi"));
      assert.equal(body, "");
    });
  }
});
