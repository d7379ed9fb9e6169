/**
 * What is measured beside what. Each comparison's contenders get the same requests, and the floor is
 * the ratio of the service to one of them.
 *
 * @module
 */
import { type LoadRequest, measure } from "./wrk.ts";
import { installForNode, ServerProcess } from "./server_process.ts";

/** A contender in a comparison. */
export interface Contender {
  name: string;
  start: () => Promise<ServerProcess>;
  request: LoadRequest;
}

/** A kind of work, done by the service and by its peers; they run at once, so each has a KV file of its own. */
export interface Comparison {
  work: string;
  service: Contender;
  peers: (Contender & { floor?: number })[];
  /** Whether the service's p99 must be no worse than the first peer's too. */
  holdLatency?: boolean;
  /** Whether the service is to refuse every request. */
  refused?: boolean;
}

/** What the comparisons need: KV files with sign-ups and a client in each. */
export interface Seeds {
  /** A folder for further KV files. */
  folder: string;
  /** Few sign-ups. */
  small: Seed;
  /** Many. */
  large: Seed;
}

/** A KV file and the credentials of its client. */
export interface Seed {
  path: string;
  clientId: string;
  clientSecret: string;
}

const STATUS: LoadRequest = { method: "GET", path: "/api/v1/status", varyAddress: true };
const JOIN: LoadRequest = {
  method: "POST",
  path: "/api/v1/waitlist",
  headers: { "Content-Type": "application/json" },
  body: '{"email":"visitor{n}.{run}@example.com","consent":true,"source":"hero","lang":"de"}',
  varyAddress: true,
};

/**
 * The comparisons, in the order of the table in `tests/README.md`. Each is set up when its turn comes, so that its
 * access tokens have not expired by then.
 */
export async function* comparisons({ folder, small, large }: Seeds): AsyncGenerator<Comparison> {
  const service = () => ServerProcess.startService(small.path);
  const variant = (name: string) => () =>
    ServerProcess.start("peers/service_with.ts", { args: [name, `${folder}/${name}.sqlite3`] });
  const token = tokenRequest(small.clientId, small.clientSecret);
  const oidcToken: LoadRequest = {
    ...tokenRequest("client", "a-secret-of-more-than-32-characters-in-all"),
    path: "/token",
    // The service grants all scopes where none is named; this one grants none.
    body: "grant_type=client_credentials&scope=waitlist:stats:read",
  };
  const oidcProvider = async (node: string) => {
    const on = `${folder}/${node}`;
    await installForNode(on, "peers/oidc_provider.ts", [node, "oidc-provider@9"]);
    return () => ServerProcess.startOnNode(on, "oidc_provider.ts");
  };
  // Through the proxy, as all the others.
  const flood = {
    ...STATUS,
    headers: { "X-Forwarded-For": "192.0.2.1" },
    varyAddress: false,
  };

  yield {
    work: "GET status",
    service: { name: "waitlist", start: service, request: STATUS },
    peers: [
      { name: "bare Deno.serve", start: await bare(small, STATUS), request: STATUS, floor: 0.75 },
      { name: "hono-rate-limiter", start: variant("hono-rate-limiter"), request: STATUS },
      { name: "KV limiter", start: variant("kv-limiter"), request: STATUS, floor: 8 },
    ],
  };

  yield {
    work: "POST token",
    service: { name: "waitlist", start: service, request: token },
    peers: [
      {
        name: "oidc-provider, Node 22",
        start: await oidcProvider("node@22"),
        request: oidcToken,
        floor: 6,
      },
      {
        name: "oidc-provider, Node 24",
        start: await oidcProvider("node@24"),
        request: oidcToken,
      },
      {
        name: "bare, signs with jose",
        start: await bare(small, token, "peers/jose_signer.ts"),
        request: token,
        floor: 1,
      },
    ],
  };

  const stats = await statsRequest(large);
  yield {
    work: "GET stats",
    service: {
      name: "waitlist, many sign-ups",
      start: () => ServerProcess.startService(large.path),
      request: stats,
    },
    peers: [
      { name: "bare Deno.serve", start: await bare(large, stats), request: stats, floor: 0.5 },
      {
        name: "waitlist, few sign-ups",
        start: service,
        request: await statsRequest(small),
        floor: 0.9,
      },
    ],
  };

  yield {
    work: "POST waitlist",
    service: { name: "waitlist", start: service, request: JOIN },
    peers: [{
      name: "one commit per request",
      start: variant("one-commit-per-request"),
      request: JOIN,
      floor: 4,
    }],
    holdLatency: true,
  };

  yield {
    work: "flood (429)",
    service: { name: "waitlist", start: service, request: flood },
    peers: [{
      name: "bare Deno.serve",
      start: await bare(small, flood, "peers/bare.ts", 1),
      request: flood,
      floor: 0.75,
    }],
    refused: true,
  };
}

function tokenRequest(clientId: string, clientSecret: string): LoadRequest {
  return {
    method: "POST",
    path: "/api/v1/oauth/token",
    headers: {
      "Authorization": `Basic ${btoa(`${clientId}:${clientSecret}`)}`,
      "Content-Type": "application/x-www-form-urlencoded",
    },
    body: "grant_type=client_credentials",
    varyAddress: true,
  };
}

async function statsRequest(seed: Seed): Promise<LoadRequest> {
  await using server = await ServerProcess.startService(seed.path);
  const { headers, body } = tokenRequest(seed.clientId, seed.clientSecret);
  const response = await fetch(`http://127.0.0.1:${server.port}/api/v1/oauth/token`, {
    method: "POST",
    headers: headers ?? {},
    body: body ?? null,
  });
  const { access_token } = await response.json();
  return {
    method: "GET",
    path: "/api/v1/waitlist/stats",
    headers: { Authorization: `Bearer ${access_token}` },
    varyAddress: true,
  };
}

/** A bare server that answers what the service answers, byte for byte, after some seconds of it. */
async function bare(seed: Seed, request: LoadRequest, program = "peers/bare.ts", floodSeconds = 0) {
  await using server = await ServerProcess.startService(seed.path);
  if (floodSeconds > 0) await measure(server.port, request, floodSeconds);
  const response = await fetch(`http://127.0.0.1:${server.port}${request.path}`, {
    method: request.method,
    headers: request.headers ?? {},
    body: request.body ?? null,
  });
  // Deno.serve adds these two to either answer.
  const headers = Object.fromEntries(response.headers);
  delete headers.date;
  delete headers["content-length"];
  delete headers.vary;
  const answer = JSON.stringify({ status: response.status, headers, body: await response.text() });
  return () => ServerProcess.start(program, { args: [answer] });
}
