/**
 * The counters of people: the statistics, the overview, and the recount that verifies and repairs both.
 *
 * @module
 */
export { createCountsReader, readTotal } from "./counts.ts";
export { readOverview } from "./overview.ts";
export { recountRecords, repairCounters, type StoreRecount } from "./recount.ts";
