/**
 * What a client does with a running service, over real HTTP.
 *
 * @module
 */
import assert from "node:assert/strict";
import { runTask, type ServiceProcess, type TestVariables } from "./process.ts";
import { basic } from "./service.ts";
import type { Credentials } from "./tokens.ts";

/** Makes a production client that may read the statistics, while no service uses the file. */
export async function createClient(variables: TestVariables): Promise<Credentials> {
  const args = ["client:create", "--name", "Dashboard", "--scope", "waitlist:stats:read"];
  const { code, stdout, stderr } = await runTask(args, variables);
  assert.equal(code, 0, stderr);
  const [, clientId, clientSecret] = /^client_id +(\S+)\nclient_secret +(\S+)$/m.exec(stdout) ?? [];
  assert.ok(clientId && clientSecret, stdout);
  return { clientId, clientSecret };
}

/** Gets an access token by HTTP Basic. */
export async function requestToken(
  service: ServiceProcess,
  { clientId, clientSecret }: Credentials,
  pathPrefix = "",
): Promise<string> {
  const response = await service.request(`${pathPrefix}/api/v1/oauth/token`, {
    method: "POST",
    headers: { Authorization: basic(clientId, clientSecret) },
    body: new URLSearchParams({ grant_type: "client_credentials" }),
  });
  const { access_token, ...rest } = await response.json();
  assert.equal(response.status, 200, JSON.stringify(rest));
  return access_token;
}

/** Reads the statistics, all but the moment they were made. */
export async function readStats(service: ServiceProcess, token: string, pathPrefix = "") {
  const response = await service.request(`${pathPrefix}/api/v1/waitlist/stats`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  const { generatedAt: _, ...stats } = await response.json();
  assert.equal(response.status, 200, JSON.stringify(stats));
  return stats;
}

/**
 * Sends text on a connection of its own and reads what comes until the service closes it, for which
 * the text must ask or be no HTTP.
 */
export async function exchange(service: ServiceProcess, text: string): Promise<string> {
  using connection = await service.connect();
  await connection.write(new TextEncoder().encode(text));
  return await new Response(connection.readable).text();
}
