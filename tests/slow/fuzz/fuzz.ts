/** Sends requests that nobody means well with to the running app, over real connections. @module */
import { Buffer } from "node:buffer";
import fc from "fast-check";
import { createContract } from "../../../shared/contract.ts";
import document from "../../../shared/generated/public.json" with { type: "json" };
import type { Restore } from "../../../shared/operator_schemas.ts";
import { RESTORE } from "../../../server/store/kv/keys.ts";
import { endRestore, findRestore } from "../../../server/store/backup/restore.ts";
import { OPERATOR_KEY } from "../../support/operator.ts";
import { basic, createTestClient, getAccessToken } from "../../support/service.ts";
import { SANDBOX_CLIENT, START } from "../../support/service.ts";
import { type ListeningService, startListeningService } from "../../support/socket.ts";
import { openConsoleKey } from "../../../server/store/credentials/console_key.ts";
import { consoleRequests } from "./console_requests.ts";
import { CHECKSUM } from "./operator_bodies.ts";
import { operatorRequest } from "./operator_requests.ts";
import { fuzzReferralCodes } from "./referral_codes.ts";
import { anyRequest, type FuzzRequest, type Known } from "./requests.ts";
import { judgeAnswer, judgeStore } from "./verdict.ts";
import { serialize, Wire } from "./wire.ts";
import { Commit, type Kv } from "../../../server/store/kv/engine.ts";

/**
 * Runs so many cases; the same seed makes the same ones, but for tokens and secrets. Gives how often each status was
 * answered, where `closed` is a connection that was closed without one, how many sign-ups were stored, and what is
 * wrong, in sentences; of an answer with the request.
 */
export async function fuzz(cases: number, seed: number) {
  const log: string[] = [];
  await using service = await startListeningService(
    { TRUSTED_PROXY_HOPS: "1", OPERATOR_KEY },
    (line) => log.push(line),
  );
  const contract = await createContract(document);
  const known = await getKnown(service);
  using wire = new Wire(service.port);
  const statuses: Record<string, number> = {};

  const request = fc.oneof(
    { weight: 8, arbitrary: anyRequest(known) },
    { weight: 2, arbitrary: operatorRequest },
    {
      weight: 1,
      arbitrary: consoleRequests(await openConsoleKey(service.kv, () => new Uint8Array())),
    },
  );
  let sent = 0;
  const property = fc.asyncProperty(request, async (request) => {
    if (sent++ % RESTORE_EVERY === 0) await alternateRestore(service.kv);
    const answer = await wire.exchange(request);
    const status = String(answer?.status ?? "closed");
    statuses[status] = (statuses[status] ?? 0) + 1;
    const findings = answer ? await judgeAnswer(request, answer, contract) : [];
    findings.push(...log.splice(0));
    if (findings.length > 0) throw new Error(findings.join(" "));
  });
  const result = await fc.check(property, { numRuns: cases, seed });

  const store = await judgeStore(service.kv, START);
  const pairs = Math.ceil(cases / CASES_TO_A_PAIR);
  const findings = [...store.findings, ...await fuzzReferralCodes(pairs, seed)];
  if (result.failed) {
    const [request] = result.counterexample ?? [];
    const { message } = result.errorInstance as Error;
    findings.unshift(`${message}\n${request && show(request)}`);
  }
  return { cases: result.numRuns, statuses, records: store.records, findings };
}

/** The requests to a pair of sign-ups, of which one has a referral code. */
const CASES_TO_A_PAIR = 10;

/** Requests from the beginning of a restore to its end, and from there to the next one. */
const RESTORE_EVERY = 200;

/**
 * Begins a restore or ends it. Requests alone begin none, as the store is not empty; while there is one lines of a
 * backup are taken, and without one backups are made.
 */
async function alternateRestore(kv: Kv): Promise<void> {
  const restore = await findRestore(kv);
  if (restore) return await endRestore(kv, restore);
  const counts = { signUps: 2, clients: 1, erasures: 0, auditEntries: 0 };
  const startedAt = new Date(START).toISOString();
  await kv.commit(
    new Commit().set(RESTORE, { checksum: CHECKSUM, counts, startedAt } satisfies Restore),
  );
}

/** A token and credentials of either environment. */
async function getKnown({ kv, port }: ListeningService): Promise<Known> {
  const known: Known = { tokens: [], basic: [] };
  const published = { clientId: SANDBOX_CLIENT, clientSecret: SANDBOX_CLIENT };
  const issued = await createTestClient({ kv, clock: { now: START } });
  const request = (path: string, init: RequestInit) =>
    fetch(`http://127.0.0.1:${port}${path}`, init);
  for (const [prefix, credentials] of [["", issued], ["/sandbox", published]] as const) {
    known.tokens.push(await getAccessToken({ request }, credentials, prefix));
    known.basic.push(basic(credentials.clientId, credentials.clientSecret));
  }
  return known;
}

/** A request's bytes as text, cut where it is long. */
function show(request: FuzzRequest): string {
  const text = Buffer.from(serialize(request)).toString("latin1");
  return JSON.stringify(text.length > 2_000 ? `${text.slice(0, 2_000)}…` : text);
}
