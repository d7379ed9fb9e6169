/** The operators' work over HTTP, a surface of `http/pipeline.ts`; off unless there is an operator's key. @module */
import { timingSafeEqual } from "node:crypto";
import { z } from "zod";
import document from "../../shared/generated/operator.json" with { type: "json" };
import type { Overview } from "../../shared/operator_schemas.ts";
import { mayCall, type OperationId } from "../../shared/roles.ts";
import { VERSION } from "../../shared/version.ts";
import type { Operator } from "../config/mod.ts";
import { clientAddress, type ConnectionInfo, createPipeline } from "../http/mod.ts";
import { isAmbiguousPath, jsonAnswer, type KeyHolder, parseAddress } from "../http/mod.ts";
import { type PipelineOptions, type RequestFailure } from "../http/mod.ts";
import { type ClientAddress, LIMITS } from "../limits/mod.ts";
import { digestSha256, type Runtime } from "../runtime/mod.ts";
import { type Kv, withinDeadline } from "../store/kv/mod.ts";
import { auditOperations, countRefusals } from "./audit.ts";
import { backupOperations } from "./backup.ts";
import { clientOperations } from "./clients.ts";
import { correctionOperations, mailMarkOperations } from "./correct_signup.ts";
import { exportOperations } from "./export_signups.ts";
import { describeOperatorFailure } from "./failure.ts";
import { importOperations } from "./import_signups.ts";
import { createOperatorStore, onCall, onQuery, type OperatorStoreOptions } from "./operation.ts";
import type { OperatorDependencies, OperatorOperation, OperatorOutcome } from "./operation.ts";
import { outboxOperations } from "./outbox.ts";
import { peopleOperations } from "./people.ts";
import { redeemingOperations } from "./redeem_invitations.ts";
import { waveOperations } from "./waves.ts";

const overviewParameters = z.strictObject({
  since: z.iso.date("give a UTC date such as 2026-05-01").exactOptional(),
});

type Operations = Record<OperationId, OperatorOperation>;

/** @param json the text of the surface's document */
function createOperations(dependencies: OperatorDependencies, json: string): Operations {
  const { store, warnings, sender } = dependencies;
  return {
    getOperatorDocument: onCall(() => ({ json })),
    getOverview: onQuery(overviewParameters, async ({ since }) => {
      const [overview, backups] = await Promise.all([
        store.readOverview(since),
        store.readBackups(),
      ]);
      return jsonAnswer<Overview>({
        ...overview,
        version: VERSION,
        sendsLetters: store.sendsLetters,
        warnings,
        ...sender && { sender },
        ...backups && { backups },
      });
    }),
    ...peopleOperations(dependencies),
    ...mailMarkOperations(dependencies),
    ...correctionOperations(dependencies),
    ...importOperations(dependencies),
    ...exportOperations(dependencies),
    ...waveOperations(dependencies),
    ...redeemingOperations(dependencies),
    ...outboxOperations(dependencies),
    ...clientOperations(dependencies),
    ...backupOperations(dependencies),
    ...auditOperations(dependencies),
  };
}

/** Gives operations each of whose calls has one deadline for all that it asks of the store. */
function withDeadlines(operationsOn: (kv: Kv) => Operations, kv: Kv): Operations {
  const all = Object.entries(operationsOn(kv)) as [OperationId, OperatorOperation][];
  return Object.fromEntries(all.map(([id, operation]) => {
    // A body of any length has a deadline for each of its parts.
    if (operation.body === "ndjson") return [id, operation];
    const act = (...given: Parameters<OperatorOperation["act"]>) =>
      withinDeadline(kv, (kv) => {
        const { act } = operationsOn(kv)[id] as { act: (...given: unknown[]) => OperatorOutcome };
        return act(...given);
      });
    return [id, { ...operation, act }];
  })) as Operations;
}

export type OperatorSurface = NonNullable<ReturnType<typeof createOperator>>;

/** The header by which a company's own server passes on the address of a visitor. */
const PASSED_ON = "waitlist-client-address";

/** What a key is good for; `retryAfter` is in seconds. */
export type KeyTest =
  | { operator: KeyHolder }
  | Extract<RequestFailure, { failure: "forbidden" | "unauthorized" | "rate_limited" }>;

export interface OperatorOptions
  extends
    PipelineOptions,
    Omit<OperatorDependencies, "store" | "forbid">,
    Omit<OperatorStoreOptions, "longKv">,
    Pick<Runtime, "repeat"> {
  operators: Operator[];
}

/** Makes the operator surface, which is off where there is no operator. */
export function createOperator({ operators, ...options }: OperatorOptions) {
  if (operators.length === 0) return undefined;
  const { kv: longKv, baseUrl } = options;
  const storeOn = (kv: Kv) => createOperatorStore({ ...options, kv, longKv });
  const refusals = countRefusals({ ...options, store: storeOn(longKv) });
  const forbid: OperatorDependencies["forbid"] = ({ name, role }) => {
    refusals.count(name);
    return { failure: "forbidden", role };
  };
  const json = JSON.stringify({ ...document, servers: [{ url: baseUrl }] });
  const operationsOn = (kv: Kv) =>
    createOperations({ ...options, store: storeOn(kv), forbid }, json);
  const findOperator = createKeyCheck(operators);
  function lets(holder: KeyHolder, id: string): boolean {
    const isLet = mayCall(holder.role, id as OperationId);
    if (!isLet) forbid(holder);
    return isLet;
  }
  const addressOf = clientAddress(options.trustedProxyHops);
  const hasProducts = operators.some(({ role }) => role === "product");
  function findHolder(authorization: string | null): KeyHolder | undefined {
    const operator = findOperator(authorization);
    if (operator === undefined) refusals.count();
    return operator;
  }
  const pipeline = createPipeline({
    name: "operator",
    root: "/operator/v1",
    paths: document.paths,
    operations: withDeadlines(operationsOn, longKv),
    limit: LIMITS.operator,
    key: { findHolder, lets, limitWithout: LIMITS.default },
    describe: describeOperatorFailure,
  }, options);
  return {
    ...pipeline,
    // A proxy may have read such a path as another one, and let it through where it blocks this surface.
    owns: (path: string) => pipeline.owns(path) && !isAmbiguousPath(path),
    /** Tests a key as a call of `id` with it does: counts it for the client's address, and a wrong one for the audit log. */
    testKey(key: string, request: Request, info: ConnectionInfo, id: OperationId): KeyTest {
      const operator = findHolder(`Bearer ${key}`);
      const limit = operator === undefined ? LIMITS.default : LIMITS.operator;
      const { allowed, reset } = options.countRequest(limit, addressOf(request, info));
      if (!allowed) return { failure: "rate_limited", retryAfter: reset };
      if (operator === undefined) return { failure: "unauthorized" };
      return mayCall(operator.role, id) ? { operator } : forbid(operator);
    },
    /** Finds the visitor's address that a company's own server passes on; none without a product's key. */
    passedOnAddress(headers: Headers): ClientAddress | undefined {
      const given = hasProducts && headers.get(PASSED_ON);
      if (!given) return undefined;
      const holder = findOperator(headers.get("authorization"));
      return holder?.role === "product" ? parseAddress(given) : undefined;
    },
    /** Writes to the audit log what only memory has. Call it after the last answer. */
    close: refusals.close,
  };
}

/**
 * Makes the function that finds the operator of an `Authorization: Bearer` header. It compares digests in constant
 * time with every key, so that the time shows neither how much of a key is right, nor its length, nor whose it is.
 */
function createKeyCheck(operators: Operator[]) {
  const known = operators.map(({ name, role, key }) => ({
    holder: { name, role },
    digest: digestSha256(key),
  }));
  return (authorization: string | null): KeyHolder | undefined => {
    const given = digestSha256(/^bearer +(\S+)$/i.exec(authorization ?? "")?.[1] ?? "");
    return known.filter(({ digest }) => timingSafeEqual(given, digest))[0]?.holder;
  };
}
