/**
 * The engines behind one interface, the keys and the schema, batches, pages, and changes whose outcome is known. Only
 * the store uses it. @module
 */
export { skipAbsentKeys } from "./absent_keys.ts";
export { Batcher, type OnRun } from "./batcher.ts";
export { changeEntry, commitChange, findValue } from "./calls.ts";
export { KV_IS_LATE, readAll, readMany, readOne, retry, VALUE_FAULT } from "./calls.ts";
export * from "./engine.ts";
export { noteTrouble, startHeartbeat } from "./heartbeat.ts";
export * from "./keys.ts";
export { createLeasedWork, type Leased } from "./leased_work.ts";
export { openSchema } from "./migrations/mod.ts";
export { type OpenKv, openKv } from "./open.ts";
export * from "./pages.ts";
export * from "./schema.ts";
