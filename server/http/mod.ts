/** HTTP that knows nothing of waitlists: the pipeline of the API, bodies, negotiation, and the listener. @module */
export { MAX_BODY_BYTES, readForm, readText } from "./body.ts";
export { type CommonFailure, describeFailure, errorAnswer } from "./failure.ts";
export { hasTooManyFields, MULTIPART, TOO_MANY_FIELDS } from "./form.ts";
export { InFlight, keepListening } from "./listener.ts";
export { chooseLanguage, isForFrame, prefersMarkdown } from "./negotiate.ts";
export type {
  BodyFailure,
  Call,
  Operation,
  Outcome,
  RequestFailure,
  ShowError,
} from "./operation.ts";
export { createPipeline, type Pipeline, type PipelineOptions } from "./pipeline.ts";
export * from "./plain_answers.ts";
export {
  type Document,
  prepareAnswer,
  represent,
  representText,
  serveDocument,
} from "./representation.ts";
export * from "./request.ts";
export { type ApiAnswer, type JsonAnswer, jsonAnswer, toNdjson } from "./respond.ts";
