/** Who may call which operation of the operator surface: the one table that all else follows. @module */
import type { operations } from "./generated/operator.ts";

/** The roles of keys; `operator` may call every operation. */
export const ROLES = ["operator", "viewer", "backup", "product"] as const;

/** What a key is for. */
export type Role = (typeof ROLES)[number];

/** The `operationId` of an operation of the operator surface. */
export type OperationId = keyof operations;

/** The roles besides `operator` that may call an operation. */
const ALLOWED: Record<OperationId, readonly Exclude<Role, "operator">[]> = {
  getOperatorDocument: ["viewer", "backup", "product"],
  getOverview: ["viewer"],
  listSignups: ["viewer"],
  showSignup: ["viewer"],
  listWaves: ["viewer"],
  showWave: ["viewer"],
  listWavePeople: ["viewer"],
  listOutbox: ["viewer"],
  listDeliveries: ["viewer"],
  listClients: ["viewer"],
  readAuditLog: ["viewer"],
  backUp: ["backup"],
  verifyCounters: ["backup"],
  checkInvitation: ["product"],
  redeemInvitation: ["product"],
  // The changes, and what gives out codes, links or the list.
  createClient: [],
  rotateClient: [],
  disableClient: [],
  enableClient: [],
  renameClient: [],
  deleteClient: [],
  rotateKeys: [],
  rotateLinkKey: [],
  exportSignups: [],
  importSignups: [],
  eraseSignup: [],
  eraseSignups: [],
  correctSignup: [],
  setAnswers: [],
  remindSignups: [],
  markUndeliverable: [],
  markDeliverable: [],
  startWave: [],
  pauseWave: [],
  resumeWave: [],
  cancelWave: [],
  renewInvitation: [],
  repairCounters: [],
  beginRestore: [],
  restoreLines: [],
  finishRestore: [],
  retryOutbox: [],
  testWebhook: [],
  testLetter: [],
};

/** Gives the roles that may call an operation, as `x-roles` in the OpenAPI document has them. */
export function rolesOf(id: OperationId): Role[] {
  return ["operator", ...ALLOWED[id]];
}

/** Whether a key with a role may call an operation. */
export function mayCall(role: Role, id: OperationId): boolean {
  return role === "operator" || ALLOWED[id].includes(role);
}
