/**
 * What is measured beside what. Each comparison's contenders get the same requests, and the floor is the ratio of the
 * service to one of them. @module
 */
import { POSTGRES } from "../../support/postgres.ts";
import { startSmtpServer } from "../../support/smtp_server.ts";
import { MAIL } from "./mail/letters.ts";
import {
  bare,
  JOIN,
  JOIN_BY_LINK,
  type Seed,
  statsRequest,
  STATUS,
  tokenRequest,
} from "./requests.ts";
import { seed } from "./seed.ts";
import { installForNode, type RunningServer, startOnNode } from "./server_process.ts";
import { startOnPostgres, startProgram, startService } from "./server_process.ts";
import type { LoadRequest } from "./wrk.ts";

/** A contender in a comparison. */
export interface Contender {
  name: string;
  start: () => Promise<RunningServer>;
  request: LoadRequest;
}

/** A kind of work, done by the service and by its peers; they run at once, so each has a KV file of its own. */
export interface Comparison {
  work: string;
  service: Contender;
  peers: (Contender & { floor?: number })[];
  /** Whether the service's p99 must be no worse than the first peer's too. */
  holdLatency?: boolean;
  /** The most of the service's p99 and CPU time, as multiples of the first peer's. */
  bounds?: { p99: number; cpu: number };
  /** The connections of the load; 64 if absent. */
  connections?: number;
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

/**
 * The least rate of two processes on PostgreSQL, by the rate of one. On fewer than four cores the processes, PostgreSQL
 * and the load program share cores that one process keeps busy already, so that a second process can only cost.
 */
const TWO_PROCESSES_FLOOR = navigator.hardwareConcurrency >= 4 ? 1 : 0.85;

/**
 * The comparisons, in the order of the table in `tests/README.md`. Each is set up when its turn comes, so that its
 * access tokens have not expired by then.
 */
export async function* comparisons({ folder, small, large }: Seeds): AsyncGenerator<Comparison> {
  const service = () => startService(small.path);
  const variant = (name: string) => () =>
    startProgram("peers/service_with.ts", [name, `${folder}/${name}.sqlite3`]);
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
    return () => startOnNode(on, "oidc_provider.ts");
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
        // The two are equally fast, so that noise moves the ratio to both sides of 1.
        floor: 0.9,
      },
    ],
  };

  const stats = await statsRequest(large);
  yield {
    work: "GET stats",
    service: {
      name: "waitlist, many sign-ups",
      start: () => startService(large.path),
      request: stats,
    },
    peers: [
      { name: "bare Deno.serve", start: await bare(large, stats), request: stats, floor: 0.55 },
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
      floor: 4.3,
    }],
    holdLatency: true,
  };

  // The letters go to a mail server; without mail there are none.
  await using mailServer = await startSmtpServer();
  const mail = { ...MAIL, MAIL_URL: mailServer.url };
  yield {
    work: "POST waitlist, mail",
    service: {
      name: "waitlist, mail on",
      start: () => startService(`${folder}/mail_on.sqlite3`, mail),
      request: JOIN,
    },
    peers: [{
      name: "waitlist, mail off",
      start: () => startService(`${folder}/mail_off.sqlite3`),
      request: JOIN,
      floor: 0.8,
    }],
  };

  const withReferrals = async (name: string) => {
    const { path } = await seed(`${folder}/${name}.sqlite3`, 100);
    return () => startService(path, { ...mail, REFERRALS: "on" });
  };
  yield {
    work: "POST waitlist, referral",
    service: {
      name: "by a link with a code",
      start: await withReferrals("with_code"),
      request: JOIN_BY_LINK,
    },
    peers: [{
      name: "without a code",
      start: await withReferrals("without_code"),
      request: JOIN,
      floor: 0.95,
    }],
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

  // What Node costs. The package's own Node modules must be there, too (`npm ci`).
  if (Deno.env.get("NODE")) {
    const copy = `${folder}/node.sqlite3`;
    await Deno.copyFile(small.path, copy);
    const requests = { "GET status": STATUS, "POST token": token, "POST waitlist": JOIN };
    for (const [work, request] of Object.entries(requests)) {
      yield {
        work: `${work}, Node`,
        service: { name: "on Deno", start: service, request },
        peers: [{ name: "on Node", start: () => startService(copy, {}, "node"), request }],
      };
    }
  }

  if (POSTGRES) {
    const bounds = { p99: 2, cpu: 1 };
    yield besideFile("POST waitlist", JOIN, { floor: 0.6, bounds });
    yield besideFile("POST waitlist, 512", JOIN, { floor: 1, bounds, connections: 512 });
    yield besideFile("GET stats", await statsRequest(small), { floor: 0.8 });
    yield {
      work: "POST waitlist, PostgreSQL, two",
      service: {
        name: "two processes",
        start: () => startOnPostgres(small.path, 2),
        request: JOIN,
      },
      peers: [{
        name: "one process",
        start: () => startOnPostgres(small.path, 1),
        request: JOIN,
        floor: TWO_PROCESSES_FLOOR,
      }],
      // As many as make a second process worth its while: each has batches of its own to fill.
      connections: 256,
    };
  }

  /** The service on PostgreSQL beside the one on a file. */
  function besideFile(
    work: string,
    request: LoadRequest,
    { floor, ...others }: Pick<Comparison, "bounds" | "connections"> & { floor: number },
  ): Comparison {
    const onPostgres = () => startOnPostgres(small.path, 1);
    return {
      work: `${work}, PostgreSQL`,
      service: { name: "on PostgreSQL", start: onPostgres, request },
      peers: [{ name: "on a file", start: service, request, floor }],
      ...others,
    };
  }
}
