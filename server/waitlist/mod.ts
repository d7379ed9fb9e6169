/** The rules of the waitlist, pure of HTTP and KV. @module */
export * from "./bulk_sign_ups.ts";
export { ERASURE_KEY_BYTES, erasureMark, erasureMarks, joinErasureKeys } from "./erasure.ts";
export { toExportedSignup, toStoredSignup } from "./exported_signup.ts";
export { validateImportLine, WAVE_ID } from "./import_line.ts";
export * from "./outbox_item.ts";
export * from "./record.ts";
export * from "./recount.ts";
export * from "./self_service_token.ts";
export * from "./sign_up.ts";
export * from "./statistics.ts";
export * from "./transitions.ts";
export * from "./waves.ts";
