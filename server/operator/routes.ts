import document from "../../shared/generated/operator.json" with { type: "json" };
import { backUpOperation } from "./operations/back_up.ts";
import { beginRestoreOperation } from "./operations/begin_restore.ts";
import { createClientOperation } from "./operations/create_client.ts";
import { disableClient, enableClient } from "./operations/disable_client.ts";
import { eraseSignup } from "./operations/erase_signup.ts";
import { exportSignups } from "./operations/export_signups.ts";
import { finishRestore } from "./operations/finish_restore.ts";
import { importSignups } from "./operations/import_signups.ts";
import { listClients } from "./operations/list_clients.ts";
import { operatorDocument } from "./operations/operator_document.ts";
import { repairCountersOperation } from "./operations/repair_counters.ts";
import { restoreLinesOperation } from "./operations/restore_lines.ts";
import { rotateClient } from "./operations/rotate_client.ts";
import { rotateKeys } from "./operations/rotate_keys.ts";
import { showSignup } from "./operations/show_signup.ts";
import { verifyCounters } from "./operations/verify_counters.ts";
import type { CreateOperation, Operation, OperatorParts } from "./operation.ts";

/** The operations by path, as `openapi/operator.yaml` lists them, and by method. */
const ROUTES: Record<string, Partial<Record<"GET" | "POST", CreateOperation>>> = {
  "/operator/v1/openapi.json": { GET: operatorDocument },
  "/operator/v1/clients": { GET: listClients, POST: createClientOperation },
  "/operator/v1/clients/{client_id}/rotate": { POST: rotateClient },
  "/operator/v1/clients/{client_id}/disable": { POST: disableClient },
  "/operator/v1/clients/{client_id}/enable": { POST: enableClient },
  "/operator/v1/keys/rotate": { POST: rotateKeys },
  "/operator/v1/signups/export": { POST: exportSignups },
  "/operator/v1/signups/show": { POST: showSignup },
  "/operator/v1/signups/erase": { POST: eraseSignup },
  "/operator/v1/signups/import": { POST: importSignups },
  "/operator/v1/counters/verify": { POST: verifyCounters },
  "/operator/v1/counters/repair": { POST: repairCountersOperation },
  "/operator/v1/backup": { POST: backUpOperation },
  "/operator/v1/restores": { POST: beginRestoreOperation },
  "/operator/v1/restores/{checksum}/lines": { POST: restoreLinesOperation },
  "/operator/v1/restores/{checksum}/finish": { POST: finishRestore },
};

/** What the document has at each path: by method an operation, and the path's parameters. */
const PATHS: Record<string, Record<string, object>> = document.paths;

/** What the document calls an operation. */
function nameOf(template: string, method: string): string | undefined {
  const found = PATHS[template]?.[method.toLowerCase()];
  return found && "operationId" in found ? String(found.operationId) : undefined;
}

/** What is at a path. */
export interface Route {
  /** The path, its parameters as `{…}`. */
  template: string;
  /** What the method stands for there, if anything, and what the document calls it. */
  operation: Operation | undefined;
  name: string | undefined;
  /** The accepted methods, as `Allow` lists them. */
  allow: string;
  parameters: Record<string, string>;
}

/**
 * Makes the function that finds what is at a path, matched byte for byte; `undefined` for nothing. HEAD
 * stands for what GET does.
 */
export function createRouter(
  parts: OperatorParts,
): (path: string, method: string) => Route | undefined {
  const routes = Object.entries(ROUTES).map(([template, operations]) => ({
    template,
    pattern: new RegExp(
      `^${template.replaceAll(".", "\\.").replace(/{(\w+)}/g, "(?<$1>[^/]+)")}$`,
    ),
    operations: new Map(
      Object.entries(operations).map(([method, create]) => {
        const name = nameOf(template, method);
        return [method, { name, operation: create(parts) }];
      }),
    ),
    allow: Object.keys(operations).join(", ").replace("GET", "GET, HEAD"),
  }));
  return (path, method) => {
    for (const { template, pattern, operations, allow } of routes) {
      const match = pattern.exec(path);
      if (!match) continue;
      const { name, operation } = operations.get(method === "HEAD" ? "GET" : method) ?? {};
      return { template, name, operation, allow, parameters: { ...match.groups } };
    }
  };
}
