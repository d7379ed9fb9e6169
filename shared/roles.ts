/**
 * Which role may call which operation of the operator surface. The server, the console and the OpenAPI document all use
 * this table.
 *
 * @module
 */
import type { operations } from "./generated/operator.ts";

/** The roles that an operator key can have. The role `operator` may call every operation. */
export const ROLES = ["operator", "viewer", "backup", "product"] as const;

/** The role of an operator key. */
export type Role = (typeof ROLES)[number];

/** The `operationId` of an operation of the operator surface. */
export type OperationId = keyof operations;

/** The roles that may call an operation besides the role `operator`, which may call every operation. */
const ALLOWED: Record<OperationId, readonly Exclude<Role, "operator">[]> = {
  getOperatorDocument: ["viewer", "backup", "product"],
  getOverview: ["viewer"],
  listSignups: ["viewer"],
  countSignups: ["viewer"],
  showSignup: ["viewer"],
  listWaves: ["viewer"],
  showWave: ["viewer"],
  listWavePeople: ["viewer"],
  listSchedules: ["viewer"],
  listJobs: ["viewer"],
  showJob: ["viewer"],
  listLetters: ["viewer"],
  listOutbox: ["viewer"],
  listDeliveries: ["viewer"],
  listClients: ["viewer"],
  readAuditLog: ["viewer"],
  backUp: ["backup"],
  verifyCounters: ["backup"],
  checkInvitation: ["product"],
  redeemInvitation: ["product"],
  // Only the role `operator` may call the operations below. They change something, give out codes and links, or concern
  // the saved filters, which only operators of this role have.
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
  setNote: [],
  remindSignups: [],
  markUndeliverable: [],
  markDeliverable: [],
  startWave: [],
  pauseWave: [],
  resumeWave: [],
  cancelWave: [],
  createSchedule: [],
  pauseSchedule: [],
  resumeSchedule: [],
  cancelSchedule: [],
  startJob: [],
  cancelJob: [],
  listFilters: [],
  saveFilter: [],
  removeFilter: [],
  renewInvitation: [],
  resendInvitation: [],
  repairCounters: [],
  beginRestore: [],
  restoreLines: [],
  finishRestore: [],
  retryOutbox: [],
  testWebhook: [],
  testLetter: [],
  testInvitation: [],
};

/** Returns the roles that may call an operation, in the form of `x-roles` in the OpenAPI document. */
export function rolesOf(id: OperationId): Role[] {
  return ["operator", ...ALLOWED[id]];
}

/** Whether a key with a role may call an operation. */
export function mayCall(role: Role, id: OperationId): boolean {
  return role === "operator" || ALLOWED[id].includes(role);
}
