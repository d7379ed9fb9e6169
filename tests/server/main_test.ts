import assert from "node:assert/strict";
import { join } from "node:path";
import { VARIABLES } from "../../server/config.ts";
import {
  makeTestFolder,
  PROJECT,
  runTask,
  startService,
  type TestVariables,
} from "../support/process.ts";
import { basic, form, json, SANDBOX_CLIENT } from "../support/service.ts";

Deno.test("main() answers on a free port and on its HOST when it starts", {
  // Only Linux has all of 127.0.0.0/8 without being told.
  ignore: Deno.build.os !== "linux",
}, async () => {
  await using folder = await makeTestFolder();
  await using service = await startService({
    HOST: "127.0.0.2",
    KV_PATH: join(folder.path, "kv.sqlite3"),
  });
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
});

Deno.test("main() works with every variable set when it has the permissions of its task", async () => {
  await using folder = await makeTestFolder();
  const variables = {
    BASE_URL: "https://waitlist.example.org/",
    PORT: "0",
    HOST: "127.0.0.1",
    CONTACT: "https://example.org/contact",
    SERVICE_NAME: "early-access",
    KV_PATH: join(folder.path, "kv.sqlite3"),
    TRUSTED_PROXY_HOPS: "1",
    SANDBOX_CLIENT: "try-me",
    OPERATOR_KEY: "an operator's key of many letters".replaceAll(" ", "-"),
    SITE_NAME: "Example Häuser",
    LOG_LEVEL: "debug",
  } satisfies TestVariables;
  await using service = await startService(variables);
  assert.equal(service.started.baseUrl, "https://waitlist.example.org");

  const status = await (await service.request("/api/v1/status")).json();
  assert.equal(status.service, "early-access-web");
  assert.equal(status.openapi, "https://waitlist.example.org/openapi.json");
  const document = await (await service.request("/openapi.json")).json();
  assert.deepEqual(document.info.contact, { url: "https://example.org/contact" });
  assert.equal((await requestToken(service, "/sandbox", "try-me", "try-me")).status, 200);

  service.signal("SIGTERM");
  const { code, stdout, stderr } = await service.end();
  assert.equal(code, 0);
  assert.match(stdout, /^ {2}Status {3}https:\/\/waitlist\.example\.org\/api\/v1\/status$/m);
  assert.match(stdout, /curl -u try-me:try-me /);
  assert.ok(!(stdout + stderr).includes(variables.OPERATOR_KEY));
});

Deno.test("main() may read the configuration's variables and no other when its task starts it", async () => {
  const { tasks } = JSON.parse(await Deno.readTextFile(join(PROJECT, "deno.json")));
  const [, names = ""] = /--allow-env=(\S+)/.exec(tasks.start) ?? [];
  assert.deepEqual(names.split(",").toSorted(), VARIABLES.toSorted());
});

Deno.test("main() keeps sign-ups, clients and tokens when it is stopped and started again", async () => {
  await using folder = await makeTestFolder();
  const KV_PATH = join(folder.path, "no folder yet, nor this", "kv.sqlite3");
  const created = await runTask(
    ["client:create", "--name", "Dashboard", "--scope", "waitlist:stats:read"],
    { KV_PATH },
  );
  const [, clientId = "", clientSecret = ""] =
    /^client_id +(\S+)\nclient_secret +(\S+)$/m.exec(created.stdout) ?? [];
  assert.equal(created.code, 0, created.stderr);

  let authorization: string;
  let figures: unknown;
  {
    await using service = await startService({ KV_PATH });
    const joined = await service.request(
      "/api/v1/waitlist",
      json({ email: "ada@example.com", consent: true, source: "hero" }),
    );
    assert.equal(joined.status, 200);
    assert.deepEqual(await joined.json(), { accepted: true });
    const thanked = await service.request("/api/v1/waitlist", {
      ...form({ email: "grace@example.com", consent: "on", lang: "de" }),
      redirect: "manual",
    });
    assert.equal(thanked.status, 303);
    assert.equal(thanked.headers.get("location"), "/de/danke/");
    await thanked.body?.cancel();
    const inSandbox = await service.request(
      "/sandbox/api/v1/waitlist",
      json({ email: "alan@example.com", consent: true }),
    );
    assert.equal(inSandbox.status, 200);
    assert.deepEqual(await inSandbox.json(), { accepted: true });

    const token = await requestToken(service, "", clientId, clientSecret);
    assert.equal(token.status, 200);
    authorization = `Bearer ${(await token.json()).access_token}`;
    const stats = await service.request("/api/v1/waitlist/stats", { headers: { authorization } });
    assert.equal(stats.status, 200);
    const { generatedAt: _, ...rest } = await stats.json();
    figures = rest;

    service.signal("SIGTERM");
    const { code, stderr } = await service.end();
    assert.equal(code, 0);
    assert.ok(!/example\.com|127\.0\.0\.1:|Bearer|eyJ/.test(stderr), stderr);
  }
  assert.deepEqual(figures, {
    total: 2,
    last7Days: 2,
    last30Days: 2,
    byLang: { de: 1, en: 1 },
    byRole: {},
    byBuilding: {},
    bySource: { hero: 1 },
    environment: "production",
  });

  await using service = await startService({ KV_PATH });
  // The issuer holds the port where there is no BASE_URL, so the old token is another service's.
  const token = await requestToken(service, "", clientId, clientSecret);
  authorization = `Bearer ${(await token.json()).access_token}`;
  const stats = await service.request("/api/v1/waitlist/stats", { headers: { authorization } });
  assert.equal(stats.status, 200);
  const { generatedAt: _, ...again } = await stats.json();
  assert.deepEqual(again, figures);
});
