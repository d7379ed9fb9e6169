/** The whole service in a test: a real KV in memory, the real app, and a clock that the test moves. @module */
import type { ServiceVariables } from "../../server/config/mod.ts";
import { newClient, STATS_SCOPE } from "../../server/oauth/clients.ts";
import type { Repeat } from "../../server/runtime/mod.ts";
import { createService } from "../../server/service.ts";
import { createSite, type Site, type SiteOptions } from "../../server/site/mod.ts";
import { createClient } from "../../server/store/credentials/clients.ts";
import { type Contract, createContract } from "../../shared/contract.ts";
import type { RequestedClient } from "../../shared/operator_schemas.ts";
import document from "../../shared/generated/public.json" with { type: "json" };
import { newAddress } from "./answers.ts";
import { accept } from "./config.ts";
import { recordLog } from "./log.ts";
import { random } from "./records.ts";
import type { Kv, StoreHealth } from "../../server/store/kv/engine.ts";
import { openMemoryKv } from "./memory_kv.ts";
import { testWith } from "./test_with.ts";

/** The public origin of the service under test. */
export const BASE_URL = "https://waitlist.test";

/** The sandbox's published client, id and secret in one. */
export const SANDBOX_CLIENT = "sandbox-public-client";

/** When a test's clock starts: 40 s before the end of a minute, on a Saturday noon. */
export const START = Date.parse("2026-11-21T12:00:20.000Z");

/** The variables of a service whose letters go into the outbox; unless a test starts it, nothing works it off. */
export const WITH_MAIL = {
  MAIL_URL: "smtp://127.0.0.1:9",
  MAIL_FROM: "Waitlist <hello@example.com>",
};

/** The variables of a service whose events go into the outbox; unless a test does, nothing works it off. */
export const withEvents = (url = "http://127.0.0.1:9") => ({
  WEBHOOK_URL: `${url}/hook`,
  WEBHOOK_SECRET: `whsec_${btoa("a secret of more than 24 bytes..")}`,
});

/** What a request in a test may say besides `RequestInit`. */
export interface TestRequestInit extends RequestInit {
  /** The address at the socket's other end. */
  from?: string;
}

/** The service under test. */
export interface TestService extends AsyncDisposable {
  kv: Kv;
  /**
   * The wall clock in milliseconds since 1970, and how much of that is no time that passed, as the clock was set; a
   * test sets both as it likes.
   */
  clock: { now: number; jumped: number };
  /** The log's lines, parsed. */
  log: Record<string, unknown>[];
  /** Sends a request to a path such as `/api/v1/status`; throws when an answer of the API breaks the contract. */
  request: (path: string, init?: TestRequestInit) => Promise<Response>;
  /** Does once what the service repeats by timers, of which there are none in a test. */
  repeatOnce: () => Promise<void>;
  /** Does what the platform's cron does. */
  workOutbox: () => Promise<boolean>;
  /** Does what the start does with mail. */
  checkMail: () => Promise<void>;
  /** Ends the service as a stopping process does, and leaves its KV open. */
  stop: () => Promise<void>;
}

/**
 * Starts a service with the given variables over the test's own `BASE_URL`.
 * @param countWaiting gives the number of waiting people that pages show, if it is not that of the store
 */
export async function startTestService(
  variables: ServiceVariables = {},
  contentFolder?: URL,
  countWaiting?: () => number,
): Promise<TestService> {
  const kv = await openMemoryKv();
  return await serveOn(kv, variables, contentFolder, { countWaiting });
}

/**
 * Starts a service on a KV that may be in use or hold records; disposing of it closes the KV.
 * @param store what its engine says of the KV
 */
export async function serveOn(
  kv: Kv,
  variables: ServiceVariables = {},
  contentFolder?: URL,
  { countWaiting, repeat, ...store }: {
    isShared?: boolean;
    /** The timers of the service, if they are not those of the test. */
    repeat?: Repeat;
    health?: () => StoreHealth;
    countWaiting?: (() => number) | undefined;
  } = {},
): Promise<TestService> {
  const { BASE_URL: baseUrl = BASE_URL } = variables;
  const clock = { now: START, jumped: 0 };
  const { log, lines } = recordLog("debug", () => clock.now);
  const repeated = new Set<() => Promise<void>>();
  const { answer, workOnce, checkMail, close } = await createService(
    accept({ BASE_URL, ...variables }),
    baseUrl,
    {
      store: { ...store, kv },
      runtime: {
        now: () => clock.now,
        monotonic: () => clock.now - clock.jumped,
        random,
        log,
        repeat: repeat ?? ((_ms, work) => {
          repeated.add(work);
          return { close: () => Promise.resolve(void repeated.delete(work)) };
        }),
      },
      onSchemaFault: (fault) => lines.push({ event: "schema fault", fault }),
      createSite: contentFolder || countWaiting
        ? (options) =>
          createSite({
            ...options,
            ...contentFolder && { folder: contentFolder },
            ...countWaiting && { countWaiting },
          })
        : sharedSite,
    },
  );
  return {
    kv,
    clock,
    log: lines,
    async request(path, { from = "192.0.2.1", ...init } = {}) {
      const remoteAddr: Deno.NetAddr = { transport: "tcp", hostname: from, port: 50_000 };
      const response = await answer(new Request(`http://localhost${path}`, init), { remoteAddr });
      await holdAgainstContract({ method: init.method ?? "GET", path, response });
      return response;
    },
    async repeatOnce() {
      await Promise.all(Array.from(repeated, (work) => work()));
    },
    workOutbox: workOnce,
    checkMail,
    stop: close,
    async [Symbol.asyncDispose]() {
      await close();
      kv.close();
    },
  };
}

/** A test of a service without variables. */
export const test = testWith(() => startTestService());

const sites = new Map<string, Promise<Site>>();

/**
 * Makes the pages once for all services of a test file that have the same options, as it takes longer than the rest of
 * a start. The pages have no state that a test could change.
 */
function sharedSite(options: SiteOptions): Promise<Site> {
  const key = JSON.stringify(options);
  const site = sites.get(key) ?? createSite(options);
  sites.set(key, site);
  return site;
}

let contract: Promise<Contract> | undefined;

/** Throws what is wrong with an answer of the API, and leaves its body for the test to read. */
async function holdAgainstContract(
  { method, path, response }: { method: string; path: string; response: Response },
): Promise<void> {
  const { pathname } = new URL(BASE_URL + path);
  if (!/^(\/sandbox)?\/api(\/|$)/.test(pathname)) return;
  const { check } = await (contract ??= createContract(document));
  const { status, headers } = response;
  const body = await response.clone().text();
  const findings = check({ method: method.toUpperCase(), path: pathname, status, headers, body });
  if (findings.length > 0) {
    throw new Error(["An answer breaks openapi/public.yaml:", ...findings].join("\n  "));
  }
}

/** Credentials of a new production client that may read the statistics, unless told otherwise. */
export async function createTestClient(
  service: { kv: Kv; clock: { now: number }; repeatOnce?: TestService["repeatOnce"] },
  scopes: RequestedClient["scopes"] = [STATS_SCOPE],
): Promise<{ clientId: string; clientSecret: string }> {
  const options = { now: service.clock.now, random };
  const { client, clientSecret } = newClient({ name: "Test", scopes }, options);
  await createClient(service.kv, client);
  // The service reads it now, and not only when its watch on KV tells of it.
  await service.repeatOnce?.();
  return { clientId: client.clientId, clientSecret };
}

/** Signs an address up, from a network address of its own; gives the status of the answer. */
export async function signUp(
  { request }: Pick<TestService, "request">,
  email: string,
  answers: object = {},
): Promise<number> {
  const body = json({ email, consent: true, ...answers });
  return (await request("/api/v1/waitlist", { ...body, from: newAddress() })).status;
}

/** A request for an access token, by HTTP Basic. @param further headers besides */
export function tokenRequest(
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
  further: Record<string, string> = {},
): RequestInit {
  const headers = { ...further, Authorization: basic(clientId, clientSecret) };
  return { ...form({ grant_type: "client_credentials" }), headers };
}

/** An access token, got from an environment's token endpoint. */
export async function getAccessToken(
  service: { request: (path: string, init: RequestInit) => Promise<Response> },
  credentials: { clientId: string; clientSecret: string },
  pathPrefix = "",
  headers?: Record<string, string>,
): Promise<string> {
  const request = tokenRequest(credentials, headers);
  const response = await service.request(`${pathPrefix}/api/v1/oauth/token`, request);
  const { access_token, ...rest } = await response.json();
  if (!access_token) throw new Error(`${response.status} ${JSON.stringify(rest)}`);
  return access_token;
}

/** The value of an `Authorization` header of HTTP Basic. */
export function basic(clientId: string, clientSecret: string): string {
  return `Basic ${btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`)}`;
}

/** A POST of JSON. */
export function json(body: unknown): RequestInit {
  return {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  };
}

/** A POST of NDJSON; a value that is no text becomes a line of JSON. */
export function ndjson(lines: unknown[] | ReadableStream<Uint8Array<ArrayBuffer>>): RequestInit {
  const text = (line: unknown) => typeof line === "string" ? line : JSON.stringify(line);
  const body = Array.isArray(lines) ? lines.map((line) => `${text(line)}\n`).join("") : lines;
  return { method: "POST", headers: { "Content-Type": "application/x-ndjson" }, body };
}

/** A POST of a form. */
export function form(fields: Record<string, string>): RequestInit {
  return { method: "POST", body: new URLSearchParams(fields) };
}
