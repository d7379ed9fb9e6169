/**
 * What the outbox does together with people's records: it gets the function that writes a record.
 *
 * @module
 */
import { createOutboxWork, makeDue, type RetryOptions, type SharedCommits } from "../outbox/mod.ts";
import { writeRecord } from "./lists.ts";

/** Gives the functions of the outbox worker; see {@linkcode createOutboxWork}. */
export const createOutboxStore = (kv: Deno.Kv, shared?: SharedCommits) =>
  createOutboxWork(kv, writeRecord, shared);

/** Makes items due at once. */
export const retryItems = (kv: Deno.Kv, options: Omit<RetryOptions, "writeRecord">) =>
  makeDue(kv, { ...options, writeRecord });
