/** The rules of the waitlist: pure functions, which know neither HTTP nor KV. @module */
export * from "./bulk_sign_ups.ts";
export * from "./correction.ts";
export * from "./erasure.ts";
export * from "./import_line.ts";
export * from "./letter_limit.ts";
export * from "./mail_reports.ts";
export * from "./outbox_item.ts";
export * from "./place_in_line.ts";
export * from "./record.ts";
export * from "./recount.ts";
export * from "./referrals.ts";
export * from "./schedule.ts";
export * from "./self_service_token.ts";
export * from "./sign_up.ts";
export * from "./statistics.ts";
export * from "./transitions.ts";
export * from "./waves.ts";
