/**
 * The engine: opening it, its keys and schema, batches, pages, and calls that end in time. Only the store uses it.
 *
 * @module
 */
export { changeEntry, commitChange, commitKnown, UnknownOutcome } from "./commits.ts";
export { Batcher, type OnRun } from "./batcher.ts";
export { startHeartbeat } from "./heartbeat.ts";
export * from "./keys.ts";
export { openSchema } from "./migrations/mod.ts";
export * from "./calls.ts";
export { checksFor, type Engine, LOCAL_ENGINE, type OpenKv, openKv } from "./open.ts";
export * from "./pages.ts";
export * from "./schema.ts";
