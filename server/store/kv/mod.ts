/**
 * The store's KV: two engines behind one interface, the layers above them, and what the other folders of the store use
 * to call KV: keys, schema, reads, changes, batches, pages, deadlines, and work with a lease. @module
 */
export { Batcher, type OnRun } from "./batcher.ts";
export {
  addEntry,
  assertReadable,
  changeEntry,
  commitChange,
  type EntryChange,
  findValue,
  KV_IS_LATE,
  readAll,
  readMany,
  readOne,
  retry,
  runReads,
  VALUE_FAULT,
} from "./calls.ts";
export { abortableKv, type OperatorKvs, withinDeadline } from "./deadline.ts";
export * from "./engine.ts";
export * from "./keys.ts";
export { createLeasedWork, type LeaseState } from "./leased_work.ts";
export { upgradeStore } from "./migrations/mod.ts";
export { openKv } from "./open.ts";
export * from "./pages.ts";
export * from "./schema.ts";
export { startStack } from "./stack.ts";
export { errorOf, followTrouble } from "./trouble.ts";
