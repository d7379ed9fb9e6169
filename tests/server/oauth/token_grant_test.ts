import assert from "node:assert/strict";
import fc from "fast-check";
import type { Client } from "../../../server/oauth/clients.ts";
import { decideGrant, type TokenFault } from "../../../server/oauth/token_grant.ts";
import document from "../../../shared/generated/public.json" with { type: "json" };
import { basic, START } from "../../support/service.ts";
import { secretDigest } from "../../support/tokens.ts";

const SCOPE = "waitlist:stats:read";

const CLIENT: Client = {
  clientId: "id",
  name: "Test",
  scopes: [SCOPE],
  secrets: [secretDigest("secret")],
  createdAt: new Date(START).toISOString(),
};

const CREDENTIALS = { client_id: "id", client_secret: "secret" };
const GRANT = { grant_type: "client_credentials" };

/** Decides on a request, where `client` is the one client that there is. */
function decide(
  parameters: Record<string, string>,
  { authorization = null, client = CLIENT, repeated = [] }: {
    authorization?: string | null;
    client?: Client;
    repeated?: string[];
  } = {},
) {
  const request = { authorization, parameters: new Map(Object.entries(parameters)), repeated };
  return decideGrant(request, {
    findClient: (clientId) => clientId === client.clientId ? client : undefined,
    now: START,
  });
}

async function assertFault(
  decision: ReturnType<typeof decide>,
  code: TokenFault["code"],
): Promise<TokenFault> {
  const result = await decision;
  assert.ok("fault" in result, JSON.stringify(result));
  assert.equal(result.fault.code, code);
  return result.fault;
}

// Clauses: RFC 6749 §3.3 default.
Deno.test("decideGrant() grants all of the client's scopes when the request names no scope", async (t) => {
  for (const scopes of [[SCOPE], [], [SCOPE, "other"]]) {
    await t.step(`the client has the scopes ${JSON.stringify(scopes)}`, async () => {
      const decision = await decide({ ...GRANT, ...CREDENTIALS }, {
        client: { ...CLIENT, scopes },
      });
      assert.deepEqual(decision, { grant: { clientId: "id", scopes } });
    });
  }
});

Deno.test("decideGrant() grants the requested scopes when the client has them", async (t) => {
  const client = { ...CLIENT, scopes: [SCOPE, "other"] };
  for (
    const [scope, scopes] of [
      [SCOPE, [SCOPE]],
      ["other", ["other"]],
      [`other ${SCOPE}`, ["other", SCOPE]],
      [`${SCOPE} ${SCOPE}`, [SCOPE]],
    ] as const
  ) {
    await t.step(`the requested scope is ${JSON.stringify(scope)}`, async () => {
      const decision = await decide({ ...GRANT, ...CREDENTIALS, scope }, { client });
      assert.deepEqual(decision, { grant: { clientId: "id", scopes } });
    });
  }
});

// Clauses: RFC 6749 §5.2 400.
Deno.test("decideGrant() returns invalid_scope for a scope that is unknown, malformed or not the client's", async (t) => {
  for (
    const [scope, scopes] of [
      ["unknown", [SCOPE]],
      [`${SCOPE} unknown`, [SCOPE]],
      [SCOPE.toUpperCase(), [SCOPE]],
      [`${SCOPE},${SCOPE}`, [SCOPE]],
      [`${SCOPE}\t`, [SCOPE]],
      [SCOPE, []],
      // One space separates two scopes (RFC 6749 §3.3).
      [` ${SCOPE}`, [SCOPE]],
      [`${SCOPE} `, [SCOPE]],
      [`${SCOPE}  ${SCOPE}`, [SCOPE]],
      [" ", [SCOPE]],
      ["   ", []],
    ] as const
  ) {
    await t.step(`the requested scope is ${JSON.stringify(scope)}`, async () => {
      const client = { ...CLIENT, scopes: [...scopes] };
      await assertFault(decide({ ...GRANT, ...CREDENTIALS, scope }, { client }), "invalid_scope");
    });
  }
});

Deno.test("decideGrant() makes a grant exactly when the request's scope matches the scope's pattern in the OpenAPI document", async () => {
  const pattern = new RegExp(document.components.schemas.TokenRequest.properties.scope.pattern);
  const piece = fc.constantFrom(SCOPE, SCOPE, " ", " ", "\n", "waitlist:", "");
  const scope = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(""));
  await fc.assert(
    fc.asyncProperty(scope, async (scope) => {
      const decision = await decide({ ...GRANT, ...CREDENTIALS, scope });
      assert.equal("grant" in decision, pattern.test(scope), JSON.stringify(scope));
    }),
    {
      numRuns: 500,
      examples: [
        [SCOPE],
        [`${SCOPE} ${SCOPE}`],
        [` ${SCOPE}`],
        [`${SCOPE} `],
        [`${SCOPE}  ${SCOPE}`],
        [`${SCOPE}\n`],
        [" "],
      ],
    },
  );
});

// RFC 6749 §3.2: a parameter without a value is treated as if it were left out.
// Clauses: RFC 6749 §3.2 empty.
Deno.test("decideGrant() treats a parameter with an empty value as absent", async () => {
  const scoped = await decide({ ...GRANT, ...CREDENTIALS, scope: "" });
  assert.deepEqual(scoped, { grant: { clientId: "id", scopes: [SCOPE] } });
  const authorization = basic("id", "secret");
  const byHeader = { ...GRANT, client_id: "", client_secret: "" };
  const decision = await decide(byHeader, { authorization });
  assert.deepEqual(decision, { grant: { clientId: "id", scopes: [SCOPE] } });

  await assertFault(decide({ grant_type: "", ...CREDENTIALS }), "invalid_request");
  await assertFault(decide({ ...GRANT, ...CREDENTIALS, client_secret: "" }), "invalid_client");
  await assertFault(decide({ ...GRANT, ...CREDENTIALS, client_id: "" }), "invalid_client");
});

// Clauses: RFC 6749 §3.2 unknown.
Deno.test("decideGrant() ignores unknown parameters", async () => {
  const unknown = { resource: "https://waitlist.test", grant: "password", Scope: "x", "": "x" };
  const decision = await decide({ ...GRANT, ...CREDENTIALS, ...unknown });
  assert.deepEqual(decision, { grant: { clientId: "id", scopes: [SCOPE] } });
});

// Clauses: RFC 6749 §3.2 repeated.
Deno.test("decideGrant() returns invalid_request and names the parameter when a parameter is given twice", async (t) => {
  for (const repeated of ["grant_type", "client_id", "client_secret", "scope", "x"]) {
    await t.step(`the parameter ${repeated} is given twice`, async () => {
      const decision = decide({ ...GRANT, ...CREDENTIALS }, { repeated: ["resource", repeated] });
      const { description } = await assertFault(decision, "invalid_request");
      assert.equal(description, `Parameter ${repeated} is given more than once.`);
    });
  }
});

// RFC 8707 §2 allows several resources, and unknown parameters are ignored.
Deno.test("decideGrant() accepts a request that gives the parameter 'resource' several times", async () => {
  const parameters = { ...GRANT, ...CREDENTIALS, resource: "https://waitlist.test/api/v1" };
  const decision = await decide(parameters, { repeated: ["resource", "resource"] });
  assert.deepEqual(decision, { grant: { clientId: "id", scopes: [SCOPE] } });
});

// Clauses: RFC 6749 §4.4.2 grant type.
Deno.test("decideGrant() returns unsupported_grant_type for every grant type except client_credentials", async (t) => {
  for (
    const grant_type of [
      "password",
      "refresh_token",
      "authorization_code",
      "Client_Credentials",
      "client_credentials ",
      "urn:ietf:params:oauth:grant-type:jwt-bearer",
    ]
  ) {
    await t.step(`grant_type is ${JSON.stringify(grant_type)}`, async () => {
      await assertFault(decide({ ...CREDENTIALS, grant_type }), "unsupported_grant_type");
    });
  }
});

Deno.test("decideGrant() looks up no client when an earlier check fails", async (t) => {
  for (
    const [parameters, repeated] of [
      [{ ...GRANT, ...CREDENTIALS }, ["scope"]],
      [{ ...CREDENTIALS, grant_type: "password" }, []],
      [CREDENTIALS, []],
      [GRANT, []],
    ] as const
  ) {
    await t.step(`the request is ${JSON.stringify({ parameters, repeated })}`, async () => {
      const request = { authorization: null, parameters: new Map(Object.entries(parameters)) };
      const decision = await decideGrant({ ...request, repeated }, {
        findClient: () => assert.fail("A client was looked up"),
        now: START,
      });
      assert.ok("fault" in decision);
    });
  }
});
