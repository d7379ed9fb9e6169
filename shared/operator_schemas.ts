/**
 * The operator surface's schemas by name, as types; their source is `openapi/operator.yaml`.
 *
 * @module
 */
import type { components } from "./generated/operator.ts";

type Schemas = components["schemas"];

/** What a new OAuth client is to be. */
export type NewClient = Schemas["RequestedClient"];
/** A new OAuth client with its secret. */
export type IssuedClient = Schemas["IssuedClient"];
/** An OAuth client as it is listed. */
export type ListedClient = Schemas["ListedClient"];
/** All OAuth clients. */
export type ClientList = Schemas["ClientList"];
/** How a client's secret is to be rotated. */
export type SecretRotation = Schemas["SecretRotation"];
/** A client's new secret. */
export type RotatedClient = Schemas["RotatedClient"];
/** A new root key. */
export type KeyRotation = Schemas["KeyRotation"];
/** An address, which stands in a body and never in a URL. */
export type Address = Schemas["Address"];
/** A sign-up as it is kept, with its address. */
export type StoredSignup = Schemas["Signup"];
/** Which sign-ups to export, and where to go on after a cut. */
export type ExportRequest = Schemas["ExportRequest"];
/** The first line of an export. */
export type ExportStart = Schemas["ExportStart"];
/** A record that cannot be read, on a line of an export. */
export type ExportUnreadable = Schemas["ExportUnreadable"];
/** A record that cannot be read: its key and what is wrong with it. */
export type UnreadableRecord = Schemas["UnreadableRecord"];
/** How far an export has come. */
export type ExportProgress = Schemas["ExportProgress"];
/** The last line of an export that is whole. */
export type ExportEnd = Schemas["ExportEnd"];
/** What became of an erasure. */
export type ErasureOutcome = Schemas["Erasure"];
/** An error. */
export type OperatorError = Schemas["Error"];
/** A line of an import. */
export type ImportLine = Schemas["ImportLine"];
/** What became of an import's lines. */
export type ImportReport = Schemas["ImportReport"];
/** A refused line of an import. */
export type Refusal = Schemas["Refusal"];
/** How far long work has come. */
export type Progress = Schemas["Progress"];
/** A counter that is not what the records add up to. */
export type Difference = Schemas["Difference"];
/** What a recount found. */
export type RecountReport = Schemas["RecountReport"];
/** What a repair came to. */
export type RepairReport = Schemas["RepairReport"];
/** A line of a backup. */
export type BackupLine = Schemas["BackupLine"];
/** How many things a backup holds. */
export type BackupCounts = Schemas["BackupCounts"];
/** What a restore begins with. */
export type NewRestore = Schemas["NewRestore"];
/** A restore that is under way. */
export type Restore = Schemas["Restore"];
/** What became of a backup's lines. */
export type RestoredLines = Schemas["RestoredLines"];
