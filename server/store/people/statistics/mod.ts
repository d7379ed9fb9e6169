/** The counters of people: statistics, overview, and the recount that verifies and repairs them. @module */
export { createCountsReader, readCount, readOverview, readTotal } from "./counts.ts";
export { recountRecords, repairCounters, type StoreRecount, type StoreRepair } from "./recount.ts";
