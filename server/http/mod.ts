/**
 * HTTP, without knowledge of the waitlist: the pipeline of an API, bodies, negotiation, prepared answers and the
 * listener. @module
 */
export { readForm, readText } from "./body.ts";
export * from "./caller.ts";
export * from "./client_address.ts";
export { FOR_OTHER_SITES } from "./cross_origin.ts";
export * from "./failure.ts";
export { type FileForm, readFileForm, type SentFile } from "./file_form.ts";
export { hasTooManyFields, MULTIPART, TOO_MANY_FIELDS } from "./form.ts";
export { InFlight, keepListening, type Listener } from "./listener.ts";
export { chooseLanguage, isForFrame, isForWindow, prefersMarkdown } from "./negotiate.ts";
export type {
  BodyFailure,
  Call,
  KeyHolder,
  Operation,
  Outcome,
  RequestFailure,
  ShowError,
} from "./operation.ts";
export * from "./pipeline.ts";
export * from "./representation.ts";
export * from "./request.ts";
export * from "./short_answers.ts";
export { type ApiAnswer, type JsonAnswer, jsonAnswer, NDJSON, toNdjson } from "./respond.ts";
