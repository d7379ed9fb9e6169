/**
 * HTTP that knows nothing of waitlists: the pipeline of the API, bodies and forms, negotiation, and the listener.
 *
 * @module
 */
export { readForm, TOO_MANY_FIELDS } from "./body.ts";
export { MAX_BODY_BYTES, readText } from "./body_text.ts";
export { clientAddress, type ConnectionInfo } from "./client_address.ts";
export { type Document, methodNotAllowed, serveDocument } from "./document.ts";
export { hasTooManyFields, mediaType, MULTIPART } from "./form.ts";
export { InFlight, keepListening } from "./listener.ts";
export { toNdjson } from "./ndjson.ts";
export { chooseLanguage, isForFrame, prefersMarkdown } from "./negotiate.ts";
export type { BodyFailure, Call, Operation, Outcome, RequestFailure } from "./operation.ts";
export { createPipeline, type Pipeline, type PipelineOptions } from "./pipeline.ts";
export { answerReadiness, READY_PATH } from "./readiness.ts";
export { prepareAnswer, represent, representText } from "./representation.ts";
export { hasPlainAuthority, isAmbiguousPath, rawPath, rawQuery } from "./request_target.ts";
export { type ApiAnswer, type JsonAnswer, jsonAnswer } from "./respond.ts";
