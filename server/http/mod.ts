/**
 * HTTP, without knowledge of the waitlist: the pipeline of an API, bodies, negotiation, prepared answers and the
 * listener. @module
 */
export { type ApiAnswer, type JsonAnswer, jsonAnswer, NDJSON, toNdjson } from "./answer.ts";
export { readForm } from "./body.ts";
export * from "./caller.ts";
export * from "./client_address.ts";
export { LOADABLE_BY_OTHER_SITES } from "./cross_origin.ts";
export * from "./failure.ts";
export { type FileForm, readFileForm, type SentFile } from "./file_form.ts";
export { hasTooManyFields, MULTIPART, TOO_MANY_FIELDS } from "./form.ts";
export { InFlight } from "./in_flight.ts";
export { keepListening, type Listener } from "./listener.ts";
export { chooseLanguage, isForFrame, isForWindow, prefersMarkdown } from "./negotiate.ts";
export type {
  AuthenticatedOperator,
  BodyFailure,
  Call,
  Operation,
  Outcome,
  RequestFailure,
  ShowError,
} from "./operation.ts";
export * from "./pipeline.ts";
export { readText } from "./read_body.ts";
export * from "./representation.ts";
export * from "./request.ts";
export * from "./short_answers.ts";
