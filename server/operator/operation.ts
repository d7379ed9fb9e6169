/**
 * What an operation of operators is: a typed function of its input and its call, with the schemas of its input. The
 * types follow from the operation's OpenAPI document. Two surfaces call operations: HTTP (`http_surface.ts`) and the
 * console. Both check the role by `calls.ts`, and neither writes an audit entry. @module
 */
import type { z } from "zod";
import type { operations } from "../../shared/generated/operator.ts";
import type { Line } from "../../shared/lines.ts";
import type { AuditEntry } from "../../shared/operator_schemas.ts";
import type { OperationId } from "../../shared/roles.ts";
import type { KeyHolder } from "../http/mod.ts";
import type { MaybePromise } from "../runtime/mod.ts";
import type { OperatorDocument } from "./documented.ts";
import type { ForbiddenFailure, OperatorFailure } from "./failure.ts";

type Parameters<Id extends OperationId, Place extends "path" | "query"> = NonNullable<
  operations[Id]["parameters"][Place]
>;

type RequestContent<Id extends OperationId> = operations[Id] extends
  { requestBody: { content: infer Content } } ? Content : unknown;

type ResponseContent<Id extends OperationId> = operations[Id] extends
  { responses: { 200: { content: infer Content } } | { 201: { content: infer Content } } } ? Content
  : never;

/** The parameters of an operation's query. */
export type QueryOf<Id extends OperationId> = Parameters<Id, "query">;

/** The JSON body of an operation. */
export type BodyOf<Id extends OperationId> = RequestContent<Id> extends
  { "application/json": infer Body } ? Body : unknown;

/** The members of `Value`; none where an operation has no such part. */
type Members<Value> = [Value] extends [never] ? unknown : Value;

/**
 * What an operation takes: the parameters of its path and its query, the members of its JSON body, and as `lines` the
 * lines of a body of NDJSON.
 */
export type InputOf<Id extends OperationId> =
  & Members<Parameters<Id, "path">>
  & Members<QueryOf<Id>>
  & BodyOf<Id>
  & (RequestContent<Id> extends { "application/x-ndjson": unknown }
    ? { lines: AsyncIterable<Line[]> }
    : unknown);

/** Long work, which gives its lines while it goes on; it stops where nobody takes them. */
export interface LongWork<WorkLine> {
  lines: AsyncIterable<readonly WorkLine[]>;
  /** The number of records that the work goes through, where it is known. */
  total?: number | undefined;
}

/** A backup, whose lines are text already because its checksum is that of the text. */
export interface BackupText {
  text: AsyncIterable<string>;
  total: number | undefined;
}

/** What an operation gives when it succeeds. */
export type ResultOf<Id extends OperationId> = Id extends "backUp" ? BackupText
  : Id extends "getOperatorDocument" ? OperatorDocument
  : ResponseContent<Id> extends { "application/x-ndjson": infer WorkLine } ? LongWork<WorkLine>
  : ResponseContent<Id> extends { "application/json": infer Result } ? Result
  : never;

/** Who calls an operation. */
export interface Caller {
  operator: KeyHolder;
  /** The id of the request, which stands in the log and in the audit entry. */
  requestId: string;
}

/** What an operation is given beside its input. */
export interface OperatorCall extends Caller {
  /** Makes the audit entry of the call, for the operation to write in the commit of its change. */
  auditEntry: (details?: AuditEntry["details"]) => AuditEntry;
  /** Makes the audit entry of a call about addresses. It names the address, by its hash, where there is only one. */
  auditEntryOf: (
    emails: string[] | undefined,
    details?: AuditEntry["details"],
  ) => Promise<AuditEntry>;
  /** Refuses the call because the role of the caller does not allow what the input asks for, and counts the refusal. */
  forbid: () => ForbiddenFailure;
}

/** The result of an operation, or why it failed. */
export type OutcomeOf<Id extends OperationId> = ResultOf<Id> | OperatorFailure;

/** An operation. The table in `shared/roles.ts` says which roles may call it. */
export interface OperatorOperation<Id extends OperationId> {
  /** Validates the query, whose values are texts when the call comes by HTTP. */
  query?: z.ZodObject & z.ZodType<QueryOf<Id>>;
  /** Validates the JSON body. */
  body?: z.ZodType<BodyOf<Id>>;
  act: (input: InputOf<Id>, call: OperatorCall) => MaybePromise<OutcomeOf<Id>>;
}

/** All operations by their ids. */
export type Operations = { [Id in OperationId]: OperatorOperation<Id> };
