/**
 * The clause ledger: what the standards and the contract ask of the service, clause by clause, with
 * the tests that show it or the reason why the service does otherwise.
 *
 * @module
 */
import type { Clause } from "./clause.ts";
import { contract } from "./contract.ts";
import { rateLimitDraft } from "./ratelimit_draft.ts";
import { rfc6585 } from "./rfc6585.ts";
import { rfc6749 } from "./rfc6749.ts";
import { rfc6750 } from "./rfc6750.ts";
import { rfc8414 } from "./rfc8414.ts";
import { rfc8725 } from "./rfc8725.ts";
import { rfc9068 } from "./rfc9068.ts";
import { rfc9110 } from "./rfc9110.ts";
import { rfc9116 } from "./rfc9116.ts";
import { rfc9264 } from "./rfc9264.ts";
import { rfc9727 } from "./rfc9727.ts";
import { rfc9728 } from "./rfc9728.ts";
import { rfc9745 } from "./rfc9745.ts";

/** All clauses. */
export const LEDGER: Clause[] = [
  ...contract,
  ...rfc6749,
  ...rfc6750,
  ...rfc8414,
  ...rfc9728,
  ...rfc9727,
  ...rfc9264,
  ...rfc9068,
  ...rfc8725,
  ...rfc9110,
  ...rfc6585,
  ...rfc9745,
  ...rateLimitDraft,
  ...rfc9116,
];
