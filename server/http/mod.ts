/**
 * HTTP, without knowledge of the waitlist: the pipeline of an API, bodies, negotiation, prepared answers and the
 * listener. @module
 */
export { type ApiAnswer, type JsonAnswer, jsonAnswer, NDJSON, toNdjson } from "./answer.ts";
export { readForm } from "./body.ts";
export { type CallAnswer, type CallRequest, createCaller, readBeginning } from "./caller.ts";
export { type ConnectionInfo, createClientAddressFinder, parseAddress } from "./client_address.ts";
export { LOADABLE_BY_OTHER_SITES } from "./cross_origin.ts";
export { type DescribedError, describeFailure, errorAnswer } from "./failure.ts";
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
export { createPipeline, type Pipeline, type PipelineOptions } from "./pipeline.ts";
export { readText } from "./read_body.ts";
export { type Document, prepareAnswer, representText, serveDocument } from "./representation.ts";
export { hasPlainAuthority, isAmbiguousPath, mediaType, rawPath, rawQuery } from "./request.ts";
export {
  answerReadiness,
  answerText,
  isGetOrHead,
  methodNotAllowed,
  READY_PATH,
} from "./short_answers.ts";
