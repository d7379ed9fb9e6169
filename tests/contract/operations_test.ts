/**
 * The operations of all surfaces are those of their OpenAPI documents.
 *
 * @module
 */
import assert from "node:assert/strict";
import { createPublicOperations } from "../../server/api/mod.ts";
import { createSandbox } from "../../server/api/environment.ts";
import { KeyRing } from "../../server/oauth/key_ring.ts";
import { createOperatorOperations } from "../../server/operator/mod.ts";
import type { OperatorStore } from "../../server/operator/operation.ts";
import operatorDocument from "../../shared/generated/operator.json" with { type: "json" };
import publicDocument from "../../shared/generated/public.json" with { type: "json" };
import { START } from "../support/service.ts";
import { NO_OUTBOX } from "../../server/store/outbox/changes.ts";

const now = () => START;
const random = (length: number) => new Uint8Array(length);

/** Each as `id METHOD path`, in the order of the texts. */
function describe(
  operations: { id: string; method: string; path: string }[],
): string[] {
  return operations.map(({ id, method, path }) => `${id} ${method} ${path}`).toSorted();
}

/** The operations of a document; HEAD belongs to the operation of GET. */
function documented(paths: Record<string, object>): string[] {
  return describe(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods as Record<string, { operationId?: string }>)
        .filter(([method]) => method === "get" || method === "post")
        .map(([method, { operationId }]) => ({
          id: String(operationId),
          method: method.toUpperCase(),
          path,
        }))
    ),
  );
}

Deno.test("createPublicOperations() makes the operations of openapi/public.yaml", () => {
  const sandbox = createSandbox({
    sandboxClient: "sandbox-public-client",
    baseUrl: "https://waitlist.test",
    serviceName: "waitlist",
    credentials: {
      keyRing: new KeyRing([{ keyId: "1", secret: new Uint8Array(32), signsFrom: 0 }], now),
      findClient: () => undefined,
      lookAgain: () => Promise.resolve(),
    },
    now,
    monotonic: now,
    random,
    outbox: NO_OUTBOX,
    onBatch: () => () => {},
  });
  const operations = createPublicOperations({ ...sandbox, pathPrefix: "" }, {
    showRefusedForm: () => ({ html: "", headers: {} }),
  });
  assert.deepEqual(describe(operations), documented(publicDocument.paths));
});

Deno.test("createOperatorOperations() makes the operations of openapi/operator.yaml", () => {
  // Only calls of operations reach the store.
  const store = {} as OperatorStore;
  const operations = createOperatorOperations({
    warnings: [],
    sendsLetters: false,
    baseUrl: "https://waitlist.test",
    store,
    now,
    random,
    selfServiceUrls: { placeUrl: () => "" },
  });
  assert.deepEqual(describe(operations), documented(operatorDocument.paths));
});
