/**
 * HTTP, without knowledge of the waitlist: the pipeline of an API, bodies, negotiation, prepared answers and the
 * listener. Of an operator, these files know only the name and the role that belong to a key.
 *
 * Requests to this service: `read_body.ts` reads a body as bytes or text, and `body.ts` parses it for an operation;
 * `form.ts` parses forms without files, and `file_form.ts` reads forms with files. An operation gets a `Call` besides
 * the body, and gives an `ApiAnswer`, of which `JsonAnswer` is one kind. Requests of this service to other servers:
 * `caller.ts` sends a `CallRequest` and gives the `CallAnswer` of the other server. @module
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
