/**
 * The type of an operation of operators: a function of its input and of its call, with the schemas of its input. The
 * types come from the OpenAPI document. HTTP (`http_surface.ts`) and the console call operations through `calls.ts`,
 * which checks the role. The operation writes its audit entry itself. @module
 */
import type { z } from "zod";
import type { operations } from "../../shared/generated/operator.ts";
import type { Line } from "../../shared/lines.ts";
import type { AuditEntry } from "../../shared/operator_schemas.ts";
import type { OperationId } from "../../shared/roles.ts";
import type { AuthenticatedOperator } from "../http/mod.ts";
import type { MaybePromise } from "../runtime/mod.ts";
import type { ForbiddenFailure, OperatorFailure } from "./failure.ts";

/** The parameters of an operation in its path or its query; `never` if there are none. */
type ParametersIn<Id extends OperationId, Place extends "path" | "query"> = NonNullable<
  operations[Id]["parameters"][Place]
>;

/** The body of an operation, by media type. */
type RequestContent<Id extends OperationId> = operations[Id] extends
  { requestBody: { content: infer Content } } ? Content : unknown;

/** The body of the answer to a successful call of an operation, by media type. */
type ResponseContent<Id extends OperationId> = operations[Id] extends
  { responses: { 200: { content: infer Content } } | { 201: { content: infer Content } } } ? Content
  : never;

/** The parameters of an operation's query. */
export type QueryOf<Id extends OperationId> = ParametersIn<Id, "query">;

/** The JSON body of an operation. */
export type BodyOf<Id extends OperationId> = RequestContent<Id> extends
  { "application/json": infer Body } ? Body : unknown;

/**
 * The members of a part of the input. The type of a part that the operation does not have is `never`, which becomes a
 * type without members here.
 */
type Members<Value> = [Value] extends [never] ? unknown : Value;

/**
 * The input of an operation: the parameters of its path and its query, the members of its JSON body, and in `lines` the
 * lines of a body of NDJSON.
 */
export type InputOf<Id extends OperationId> =
  & Members<ParametersIn<Id, "path">>
  & Members<QueryOf<Id>>
  & BodyOf<Id>
  & (RequestContent<Id> extends { "application/x-ndjson": unknown }
    ? { lines: AsyncIterable<Line[]> }
    : unknown);

/**
 * The result of long work. The lines are made only while somebody reads them, so that the work stops if the client goes
 * away.
 */
export interface LongWork<WorkLine> {
  lines: AsyncIterable<readonly WorkLine[]>;
  /** The number of records that the work reads, if it is known. */
  total?: number | undefined;
}

/**
 * The result of a backup. The lines are texts and not objects, because the checksum of the backup is computed over the
 * texts.
 */
export interface BackupText {
  text: AsyncIterable<string>;
  total: number | undefined;
}

/** The result of a successful operation. */
export type ResultOf<Id extends OperationId> = Id extends "backUp" ? BackupText
  : Id extends "getOperatorDocument" ? object
  : ResponseContent<Id> extends { "application/x-ndjson": infer WorkLine } ? LongWork<WorkLine>
  : ResponseContent<Id> extends { "application/json": infer Result } ? Result
  : never;

/** The caller of an operation. */
export interface Caller {
  operator: AuthenticatedOperator;
  /** The id of the request, which the log and the audit entry have as well. */
  requestId: string;
}

/** The values that an operation gets in addition to its input. */
export interface OperatorCall extends Caller {
  /**
   * Makes the audit entry of the call. An operation that changes something writes the entry in the commit of its
   * change.
   */
  auditEntry: (details?: AuditEntry["details"]) => AuditEntry;
  /**
   * Makes the audit entry of a call about the addresses `emails`. If there is only one address, the entry has the hash
   * of this address. `emails` is `undefined` for a call that names no addresses.
   */
  auditEntryAbout: (
    emails: string[] | undefined,
    details?: AuditEntry["details"],
  ) => Promise<AuditEntry>;
  /** Makes the failure of a call whose input the caller's role does not allow, and counts the refusal. */
  forbid: () => ForbiddenFailure;
}

/** The result of an operation, or its failure. */
export type OutcomeOf<Id extends OperationId> = ResultOf<Id> | OperatorFailure;

/** An operation. The table in `shared/roles.ts` says which roles may call it. */
export interface OperatorOperation<Id extends OperationId> {
  /**
   * The schema of the query. HTTP gives all values of a query as texts; a caller in this process can
   * also give numbers and booleans.
   */
  query?: z.ZodObject & z.ZodType<QueryOf<Id>>;
  /** The schema of the JSON body. */
  body?: z.ZodType<BodyOf<Id>>;
  act: (input: InputOf<Id>, call: OperatorCall) => MaybePromise<OutcomeOf<Id>>;
}

/** All operations by their ids. */
export type Operations = { [Id in OperationId]: OperatorOperation<Id> };
