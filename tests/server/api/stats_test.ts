/**
 * `getWaitlistStats`: its answers, and the calls that the Bearer scheme, the scope, the environment and the clock
 * refuse. The tokens that the service has never issued are those of RFC 8725 §3: another algorithm, type, key, issuer or
 * audience. @module
 */
import assert from "node:assert/strict";
import { assertApiHeaders, headersOf } from "../../support/answers.ts";
import { recount } from "../../support/records.ts";
import {
  basic,
  createTestClient,
  form,
  getAccessToken,
  json,
  START,
  startTestService,
  test,
} from "../../support/service.ts";
import {
  assertRefused,
  credentialsFor,
  ENVIRONMENTS,
  type Forgery,
  forgeToken,
  requestStats,
} from "../../support/tokens.ts";
import { base64url, exportJWK, generateKeyPair, SignJWT } from "jose";

// Clauses: contract "Environments".
Deno.test("getWaitlistStats() always returns the same example in the sandbox", async (t) => {
  await using service = await startTestService();
  const [, sandbox] = ENVIRONMENTS;
  const { prefix } = sandbox;
  const credentials = await credentialsFor(service, sandbox);
  const ask = async () => {
    const authorization = `Bearer ${await getAccessToken(service, credentials, prefix)}`;
    const response = await requestStats(service, { prefix, authorization });
    assert.equal(response.status, 200);
    assertApiHeaders(response);
    return await response.text();
  };
  const example = await ask();
  await service.request(
    `${prefix}/api/v1/waitlist`,
    json({ email: "ada@example.com", consent: true }),
  );
  service.clock.now += 40 * 24 * 60 * 60 * 1000;
  assert.equal(await ask(), example);

  const stats = JSON.parse(example);
  assert.equal(stats.environment, "sandbox");
  // An example that could be: no part is larger than the whole.
  assert.ok(stats.last7Days <= stats.last30Days && stats.last30Days <= stats.total);
  for (const map of ["byLang", "byRole", "byBuilding", "bySource"]) {
    await t.step(map, () => {
      const counts: number[] = Object.values(stats[map]);
      assert.ok(counts.length > 0);
      assert.ok(counts.reduce((sum, count) => sum + count) <= stats.total);
    });
  }
});

// Clauses: RFC 9110 §9.3.2.
test(
  "getWaitlistStats() answers HEAD with the headers of GET and without a body",
  async (service, t) => {
    for (const environment of ENVIRONMENTS) {
      const { prefix } = environment;
      const forged = { claims: { scope: undefined } };
      for (
        const [status, authorization] of [
          [200, `Bearer ${await forgeToken(service, environment)}`],
          [401, "Bearer x"],
          [403, `Bearer ${await forgeToken(service, environment, forged)}`],
        ] as const
      ) {
        await t.step(`${environment.name}: ${status}`, async () => {
          const get = await requestStats(service, { prefix, authorization });
          const head = await requestStats(service, { prefix, authorization, method: "HEAD" });
          assert.equal(head.status, status);
          const { length } = await get.text();
          assert.equal(head.headers.get("content-length"), String(length));
          const { "content-length": _, ...headers } = headersOf(head);
          assert.deepEqual(headers, headersOf(get));
          assert.equal(await head.text(), "");
        });
      }
    }
  },
);

// Clauses: contract "WaitlistStats".
test("getWaitlistStats() counts each address once, and returns no address", async (service) => {
  const signUp = (fields: Record<string, unknown>, path = "/api/v1/waitlist") =>
    service.request(path, json({ consent: true, ...fields }));
  await signUp({ email: "ada@example.com", lang: "de", source: "hero" });
  await signUp({ email: "alan@example.com", source: "cta" });
  await signUp({ email: "grace@example.com" });
  await signUp({ email: "GRACE@example.com" });
  await service.request("/api/waitlist", form({ email: "kurt@example.com", consent: "on" }));
  await signUp({ email: "no" });
  await signUp({ email: "honeypot@example.com", website: "x" });
  await signUp({ email: "x@example.com" }, "/sandbox/api/v1/waitlist");
  service.clock.now = START + 1_500;
  const token = await getAccessToken(service, await createTestClient(service));
  const text = await (await requestStats(service, { authorization: `Bearer ${token}` })).text();
  const { generatedAt, environment, ...counts } = JSON.parse(text);
  assert.deepEqual([generatedAt, environment], ["2026-11-21T12:00:21.500Z", "production"]);
  assert.deepEqual(counts, {
    total: 4,
    last7Days: 4,
    last30Days: 4,
    byLang: { de: 1, en: 3 },
    byRole: {},
    byBuilding: {},
    bySource: { cta: 1, hero: 1 },
  });
  assert.deepEqual(counts, await recount(service.kv, service.clock.now));
  assert.doesNotMatch(text, /ada|alan|grace|kurt|@/);
});

const SCOPE = "waitlist:stats:read";

// Clauses: contract "Authentication" challenge; RFC 6750 §3 challenge; RFC 9110 §15.5.2 challenge;
// RFC 6750 §2.2, §2.3; RFC 9728 §2 methods.
test(
  "getWaitlistStats() answers 401 unauthorized when the Authorization header has no Bearer token",
  async (service, t) => {
    for (const environment of ENVIRONMENTS) {
      await t.step(environment.name, async () => {
        const { prefix } = environment;
        const { clientId, clientSecret } = await credentialsFor(service, environment);
        const token = await forgeToken(service, environment);
        for (const authorization of ["", basic(clientId, clientSecret), `DPoP ${token}`]) {
          const response = await requestStats(service, { prefix, authorization });
          await assertRefused(response, [401, "unauthorized"], environment);
        }
        for (const query of ["", `?access_token=${token}`]) {
          const response = await service.request(`${prefix}/api/v1/waitlist/stats${query}`);
          await assertRefused(response, [401, "unauthorized"], environment);
        }
      });
    }
  },
);

// Clauses: contract "Authentication" challenge; RFC 6750 §3 challenge; RFC 6750 §3 error;
// RFC 6750 §3.1 status; RFC 9728 §5.1.
test(
  "getWaitlistStats() answers 403 insufficient_scope when the token lacks the scope",
  async (service, t) => {
    const [production] = ENVIRONMENTS;
    const unscoped = await getAccessToken(service, await createTestClient(service, []));
    const response = await requestStats(service, { authorization: `Bearer ${unscoped}` });
    await assertRefused(response, [403, "insufficient_scope"], production);

    for (const environment of ENVIRONMENTS) {
      for (const scope of [undefined, "", `${SCOPE}s`, SCOPE.toUpperCase()]) {
        await t.step(`${environment.name}: ${scope}`, async () => {
          const token = await forgeToken(service, environment, { claims: { scope } });
          const response = await requestStats(service, {
            prefix: environment.prefix,
            authorization: `Bearer ${token}`,
          });
          await assertRefused(response, [403, "insufficient_scope"], environment);
        });
      }
    }
  },
);

// Clauses: RFC 6750 §5.2; RFC 8725 §3.9; RFC 8725 §3.12.
test(
  "getWaitlistStats() answers 401 invalid_token when the other environment issued the token",
  async (service, t) => {
    const [production, sandbox] = ENVIRONMENTS;
    for (const [issuer, verifier] of [[production, sandbox], [sandbox, production]] as const) {
      await t.step(issuer.name, async () => {
        const credentials = await credentialsFor(service, issuer);
        const token = await getAccessToken(service, credentials, issuer.prefix);
        const authorization = `Bearer ${token}`;
        const own = await requestStats(service, { prefix: issuer.prefix, authorization });
        assert.equal(own.status, 200);
        const other = await requestStats(service, { prefix: verifier.prefix, authorization });
        await assertRefused(other, [401, "invalid_token"], verifier);
      });
    }
  },
);

// Clauses: contract "Authentication" token; RFC 6750 §3.1 status; RFC 6750 §5.3.
test("getWaitlistStats() accepts a token for exactly 900 s after its issue", async (service, t) => {
  for (const environment of ENVIRONMENTS) {
    await t.step(environment.name, async () => {
      const { prefix } = environment;
      service.clock.now = START;
      const credentials = await credentialsFor(service, environment);
      const authorization = `Bearer ${await getAccessToken(service, credentials, prefix)}`;
      const ask = () => requestStats(service, { prefix, authorization });
      service.clock.now = START + 899_999;
      assert.equal((await ask()).status, 200);
      for (const late of [900_000, 901_000, 1_000_000_000]) {
        service.clock.now = START + late;
        await assertRefused(await ask(), [401, "invalid_token"], environment);
      }
    });
  }
});

// Clauses: RFC 8725 §3.10.
Deno.test("getWaitlistStats() makes no KV operation when the token is missing, invalid or lacks the scope", async () => {
  const service = await startTestService();
  const [environment] = ENVIRONMENTS;
  const forged = await forgeToken(service, environment, { keyOf: "sandbox" });
  const unscoped = await getAccessToken(service, await createTestClient(service, []));
  // With KV closed, a look would end as a 500.
  service.kv.close();
  const ask = (token: string) => requestStats(service, { authorization: `Bearer ${token}` });
  await assertRefused(await requestStats(service, {}), [401, "unauthorized"], environment);
  await assertRefused(await ask(forged), [401, "invalid_token"], environment);
  await assertRefused(await ask("x"), [401, "invalid_token"], environment);
  await assertRefused(await ask(unscoped), [403, "insufficient_scope"], environment);
  await service.stop();
});

// Clauses: RFC 6750 §3 error; RFC 6750 §5.2; RFC 9068 §2.1 typ; RFC 8725 §3.1 algorithms;
// RFC 8725 §3.1 one key; RFC 8725 §3.2; RFC 8725 §3.8; RFC 8725 §3.9; RFC 8725 §3.11;
// RFC 8725 §3.12.
test(
  "getWaitlistStats() answers 401 invalid_token when a token has wrong claims, a wrong header or the other environment's key",
  async (service, t) => {
    const otherName = { production: "sandbox", sandbox: "production" } as const;
    for (const environment of ENVIRONMENTS) {
      const other = ENVIRONMENTS.find(({ name }) => name === otherName[environment.name]);
      const issuedAt = START / 1000;
      const forgeries: Forgery[] = [
        { header: { alg: "HS512" }, hash: "sha512" },
        // The algorithm is fixed: what the token says of it decides nothing (RFC 8725 §3.1).
        { header: { alg: "RS256" } },
        { header: { alg: "none" } },
        { header: { alg: undefined } },
        { header: { typ: "JWT" } },
        { header: { typ: undefined } },
        { header: { kid: undefined } },
        { header: { kid: "unknown" } },
        { header: { kid: 1 } },
        { header: { crit: ["exp"] } },
        { claims: { iss: other?.issuer } },
        { claims: { iss: `${environment.issuer}/` } },
        { claims: { iss: undefined } },
        { claims: { aud: other?.audience } },
        { claims: { aud: environment.issuer } },
        { claims: { aud: undefined } },
        { claims: { exp: undefined } },
        { claims: { exp: String(issuedAt + 900) } },
        { claims: { exp: issuedAt } },
        { claims: { iat: undefined } },
        { claims: { sub: undefined } },
        { claims: { nbf: issuedAt + 1 } },
        // All is as it should be, but for the key.
        { keyOf: otherName[environment.name] },
      ];
      const { prefix } = environment;
      for (const forgery of [{}, ...forgeries]) {
        await t.step(`${environment.name}: ${Deno.inspect(forgery)}`, async () => {
          const authorization = `Bearer ${await forgeToken(service, environment, forgery)}`;
          const response = await requestStats(service, { prefix, authorization });
          if (forgeries.includes(forgery)) {
            await assertRefused(response, [401, "invalid_token"], environment);
          } else assert.equal(response.status, 200, "what is forged without a fault is valid");
        });
      }
    }
  },
);

// Clauses: RFC 9068 §2.1 signature; RFC 8725 §3.1 algorithms; RFC 8725 §3.2; RFC 8725 §3.10.
test(
  "getWaitlistStats() answers 401 invalid_token when the token is unsigned or signed by another key",
  async (service, t) => {
    const [environment] = ENVIRONMENTS;
    const token = await forgeToken(service, environment);
    const [, payload = ""] = token.split(".");
    const claims = JSON.parse(new TextDecoder().decode(base64url.decode(payload)));
    const { publicKey, privateKey } = await generateKeyPair("RS256");
    const jwk = await exportJWK(publicKey);
    const header = { typ: "at+jwt", kid: "1" };
    const none = base64url.encode(JSON.stringify({ ...header, alg: "none" }));
    const signed = (protectedHeader: object, key: CryptoKey | Uint8Array) =>
      new SignJWT(claims).setProtectedHeader({ ...header, alg: "HS256", ...protectedHeader })
        .sign(key);
    const forged = [
      `${none}.${payload}.`,
      await signed({ alg: "RS256", jwk }, privateKey),
      await signed({}, new TextEncoder().encode(JSON.stringify(jwk))),
      await signed({}, new Uint8Array(32)),
    ];
    for (const token of forged) {
      await t.step(token.slice(0, 60), async () => {
        const response = await requestStats(service, { authorization: `Bearer ${token}` });
        await assertRefused(response, [401, "invalid_token"], environment);
      });
    }
  },
);

// Clauses: RFC 8725 §3.3.
test(
  "getWaitlistStats() answers 401 invalid_token when the text of a valid token is changed",
  async (service, t) => {
    const [environment] = ENVIRONMENTS;
    const token = await getAccessToken(service, await createTestClient(service));
    const [header = "", payload = "", signature = ""] = token.split(".");
    const claims = new TextDecoder().decode(base64url.decode(payload));
    const longer = base64url.encode(claims.replace(/"exp":(\d+)/, (_, exp) => `"exp":${exp + 1}`));
    const alphabet = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"];
    for (
      const changed of [
        ...["", "x", ".", "..", "a.b.c", "x".repeat(10_000), token.padEnd(10_000, "x")],
        ...[`${header}.${payload}`, `${header}.${payload}.`, `${header}..${signature}`],
        ...[`.${payload}.${signature}`, `${header}.${longer}.${signature}`],
        ...[
          `${base64url.encode(" ")}${token}`,
          `${token}x`,
          `${token}.x`,
          `${token}.`,
          `${token}=`,
        ],
        ...[`${token} x`, `${token}, ${token}`, `"${token}"`, token.slice(0, -1)],
        `${header}.${payload}.${signature.slice(0, 9)} ${signature.slice(9)}`,
        // No other signature passes, not even one that decodes to the same bytes (RFC 4648 §3.5).
        ...alphabet.map((last) => token.slice(0, -1) + last).filter((text) => text !== token),
        ...alphabet.map((first) => `${header}.${payload}.${first}${signature.slice(1)}`)
          .filter((text) => text !== token),
      ]
    ) {
      await t.step(JSON.stringify(changed.slice(0, 60)), async () => {
        const response = await requestStats(service, { authorization: `Bearer ${changed}` });
        await assertRefused(response, [401, "invalid_token"], environment);
      });
    }
    const response = await requestStats(service, { authorization: `Bearer ${token}` });
    assert.equal(response.status, 200);
  },
);
