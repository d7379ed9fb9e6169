/**
 * The operator's operations on the store as a whole: backup, restore and counters.
 *
 * @module
 */
export { backUpOperation } from "./back_up.ts";
export { repairCountersOperation, verifyCountersOperation } from "./counters.ts";
export * from "./restores.ts";
