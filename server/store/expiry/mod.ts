/**
 * Erases people whose time to confirm is over (`expire_people.ts`), reminds others to confirm (`expiry_work.ts`), and
 * removes everything else that is old (`sweep.ts`). @module
 */
export { startExpiry } from "./expiry_work.ts";
export { startSweep } from "./sweep.ts";
