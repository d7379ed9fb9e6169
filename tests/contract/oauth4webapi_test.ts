/**
 * A generic OAuth client that knows an issuer's URL and nothing else reaches the statistics, each step
 * by what the step before it said. `oauth4webapi` judges every answer by the RFCs.
 */
import assert from "node:assert/strict";
import * as oauth from "oauth4webapi";
import { SANDBOX_CLIENT } from "../support/service.ts";
import { listen, type ListeningService } from "../support/listen.ts";

/** The test's service has no certificate; the library refuses plain HTTP otherwise. */
const overHttp = { [oauth.allowInsecureRequests]: true } as const;

/** The environments: how an issuer is made of the base URL, and who may have tokens there. */
const ENVIRONMENTS = [
  {
    name: "production",
    issuer: (service: ListeningService) => service.baseUrl,
    credentials: (service: ListeningService) => service.credentials,
  },
  {
    name: "sandbox",
    issuer: (service: ListeningService) => `${service.baseUrl}/sandbox`,
    credentials: () => ({ clientId: SANDBOX_CLIENT, clientSecret: SANDBOX_CLIENT }),
  },
];

const METHODS = {
  client_secret_basic: oauth.ClientSecretBasic,
  client_secret_post: oauth.ClientSecretPost,
};

/** RFC 8414: the authorization server of an issuer. */
async function discoverServer(issuer: string): Promise<oauth.AuthorizationServer> {
  const url = new URL(issuer);
  const response = await oauth.discoveryRequest(url, { algorithm: "oauth2", ...overHttp });
  return await oauth.processDiscoveryResponse(url, response);
}

/** RFC 9728: the resource that the server's tokens are good for. */
async function discoverResource(server: oauth.AuthorizationServer): Promise<oauth.ResourceServer> {
  const [identifier] = server.protected_resources as string[];
  const url = new URL(identifier ?? "");
  const response = await oauth.resourceDiscoveryRequest(url, overHttp);
  return await oauth.processResourceDiscoveryResponse(url, response);
}

/** RFC 6749 §4.4: an access token. */
async function getToken(
  server: oauth.AuthorizationServer,
  client: oauth.Client,
  authentication: oauth.ClientAuth,
): Promise<oauth.TokenEndpointResponse> {
  const parameters = { scope: server.scopes_supported?.join(" ") ?? "" };
  const response = await oauth.clientCredentialsGrantRequest(
    server,
    client,
    authentication,
    parameters,
    overHttp,
  );
  return await oauth.processClientCredentialsResponse(server, client, response);
}

for (const environment of ENVIRONMENTS) {
  for (const [method, authenticate] of Object.entries(METHODS)) {
    // Clauses: RFC 6749 §2.3.1 Basic; RFC 6749 §5.1 members; RFC 6750 §2.1; RFC 8414 §2 defaults;
    // RFC 8414 §3; RFC 8414 §3.1 path; RFC 8414 §3.3; RFC 9728 §3; RFC 9728 §4.
    Deno.test(`The library oauth4webapi finds and reads the statistics when it knows only the issuer's URL (${environment.name}, ${method})`, async () => {
      await using service = await listen();
      const { clientId, clientSecret } = environment.credentials(service);

      const server = await discoverServer(environment.issuer(service));
      assert.ok(server.token_endpoint_auth_methods_supported?.includes(method));
      const resource = await discoverResource(server);
      assert.deepEqual(resource.authorization_servers, [server.issuer]);

      const client = { client_id: clientId };
      const token = await getToken(server, client, authenticate(clientSecret));
      assert.equal(token.token_type, "bearer");
      assert.equal(token.expires_in, 900);
      assert.equal(token.scope, "waitlist:stats:read");

      // The resource's own address is the index, which names the protected operation.
      const index = await (await fetch(resource.resource)).json();
      const response = await oauth.protectedResourceRequest(
        token.access_token,
        "GET",
        new URL(index.stats),
        undefined,
        undefined,
        overHttp,
      );
      assert.equal(response.status, 200);
      assert.equal((await response.json()).environment, environment.name);
    });
  }

  // Clauses: RFC 6750 §3 scheme; RFC 9728 §3.3 identical; RFC 9110 §11.6.1.
  Deno.test(`The library oauth4webapi finds the ${environment.name} token endpoint by the challenge in a 401 answer`, async () => {
    await using service = await listen();
    const index = await (await fetch(`${environment.issuer(service)}/api/v1`)).json();

    const error = await oauth.protectedResourceRequest(
      "not-a-token",
      "GET",
      new URL(index.stats),
      undefined,
      undefined,
      overHttp,
    ).catch((error: unknown) => error);
    assert.ok(error instanceof oauth.WWWAuthenticateChallengeError);
    assert.equal(error.status, 401);
    const [challenge] = error.cause;
    assert.equal(challenge?.scheme, "bearer");
    assert.equal(challenge?.parameters.error, "invalid_token");
    assert.equal(challenge?.parameters.scope, "waitlist:stats:read");
    await error.response.body?.cancel();

    // Strictly: the document must be about the resource that its address is derived from.
    const metadataUrl = challenge?.parameters.resource_metadata ?? "";
    const resource = await oauth.processResourceDiscoveryResponse(
      new URL(`${environment.issuer(service)}/api/v1`),
      await fetch(metadataUrl),
    );
    const [issuer] = resource.authorization_servers as string[];
    const server = await discoverServer(issuer ?? "");
    assert.equal(server.token_endpoint, index.token);
  });

  // Clauses: RFC 6749 §5.2 401.
  Deno.test(`The library oauth4webapi reads the error answer of the ${environment.name} environment when the client's secret is wrong`, async () => {
    await using service = await listen();
    const server = await discoverServer(environment.issuer(service));
    const client = { client_id: environment.credentials(service).clientId };

    const byBasic = await getToken(server, client, oauth.ClientSecretBasic("wrong"))
      .catch((error: unknown) => error);
    assert.ok(byBasic instanceof oauth.WWWAuthenticateChallengeError);
    assert.equal(byBasic.cause[0]?.scheme, "basic");
    await byBasic.response.body?.cancel();

    const byPost = await getToken(server, client, oauth.ClientSecretPost("wrong"))
      .catch((error: unknown) => error);
    assert.ok(byPost instanceof oauth.ResponseBodyError);
    assert.equal(byPost.error, "invalid_client");
  });
}

// Clauses: RFC 8414 §3.3.
Deno.test("The library oauth4webapi refuses the metadata of one environment when the issuer of the other environment is expected", async () => {
  await using service = await listen();
  const response = await fetch(`${service.baseUrl}/.well-known/oauth-authorization-server/sandbox`);
  await assert.rejects(
    oauth.processDiscoveryResponse(new URL(service.baseUrl), response),
    oauth.OperationProcessingError,
  );
});
