/**
 * Erases people whose time to confirm is over (`expire_people.ts`), reminds other people to confirm (`reminders.ts`),
 * and removes other entries whose time is over (`sweep.ts`). @module
 */
export { startExpiry } from "./expiry_work.ts";
export { startSweep } from "./sweep.ts";
