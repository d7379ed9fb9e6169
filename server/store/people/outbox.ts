/**
 * What the outbox does together with people's records: it gets the function that writes a record.
 *
 * @module
 */
import { retryItems as retry, type RetryOptions } from "../outbox/list.ts";
import { createOutboxWork, type SharedCommits } from "../outbox/work.ts";
import { writeRecord } from "./lists.ts";

/** Gives the functions of the outbox worker; see {@linkcode createOutboxWork}. */
export const createOutboxStore = (kv: Deno.Kv, shared?: SharedCommits) =>
  createOutboxWork(kv, writeRecord, shared);

/** Makes items due at once. */
export const retryItems = (kv: Deno.Kv, options: Omit<RetryOptions, "writeRecord">) =>
  retry(kv, { ...options, writeRecord });
