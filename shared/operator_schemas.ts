/**
 * The schemas of `openapi/operator.yaml` by name, as types.
 *
 * @module
 */
import type { components } from "./generated/operator.ts";

type Schemas = components["schemas"];

/** The properties of a new OAuth client. */
export type NewClient = Schemas["RequestedClient"];
/** How an OAuth client is called from now on. */
export type ClientName = Schemas["ClientName"];
/** A new OAuth client with its secret. */
export type IssuedClient = Schemas["IssuedClient"];
/** An OAuth client as it is listed. */
export type ListedClient = Schemas["ListedClient"];
/** All OAuth clients. */
export type ClientList = Schemas["ClientList"];
/** How to rotate the secret of a client. */
export type SecretRotation = Schemas["SecretRotation"];
/** A client's new secret. */
export type RotatedClient = Schemas["RotatedClient"];
/** A new root key. */
export type KeyRotation = Schemas["KeyRotation"];
export type LinkKeyRotation = Schemas["LinkKeyRotation"];
export type LinkKeyRotationRequest = Schemas["LinkKeyRotationRequest"];
/** An e-mail address, which is sent in a body and never in a URL. */
export type Address = Schemas["Address"];
/** Whose record to show, and whether it leaves the service. */
export type ShowRequest = Schemas["ShowRequest"];
/** A sign-up as it is stored, with its address. */
export type StoredSignup = Schemas["Signup"];
/** Which sign-ups to export, and where to continue an interrupted export. */
export type ExportRequest = Schemas["ExportRequest"];
/** The first line of an export. */
export type ExportStart = Schemas["ExportStart"];
/** A line of an export that reports an unreadable record. */
export type ExportUnreadable = Schemas["ExportUnreadable"];
/** An unreadable record: its key and what is wrong with it. */
export type UnreadableRecord = Schemas["UnreadableRecord"];
/** The progress of an export. */
export type ExportProgress = Schemas["ExportProgress"];
/** The last line of a complete export. */
export type ExportEnd = Schemas["ExportEnd"];
/** The result of an erasure. */
export type ErasureOutcome = Schemas["Erasure"];
/** Which address to correct, and what it becomes. */
export type CorrectionRequest = Schemas["CorrectionRequest"];
/** Whose answers to change, and what they become. */
export type AnswersRequest = Schemas["AnswersRequest"];
/** The result of a correction of an address. */
export type Correction = Schemas["Correction"];
/** An error. */
export type OperatorError = Schemas["Error"];
/** Whom to invite, and to what. */
export type WaveRequest = Schemas["WaveRequest"];
/** A wave of invitations. */
export type WaveReport = Schemas["Wave"];
/** A wave of invitations, with those of the named people whom it cannot invite. */
export type StartedWave = Schemas["StartedWave"];
/** What a wave would do. */
export type WavePlan = Schemas["WavePlan"];
/** How many of those who fit are not invited. */
export type PassedOver = Schemas["PassedOver"];
/** A person who was named and cannot be invited. */
export type NotInvited = Schemas["NotInvited"];
/** A person in a wave. */
export type InvitedSignup = Schemas["InvitedSignup"];
/** People of a wave. */
export type WavePeople = Schemas["WavePeople"];
/** A line of an import. */
export type ImportLine = Schemas["ImportLine"];
/** The result of an import. */
export type ImportReport = Schemas["ImportReport"];
/** A refused line of an import. */
export type Refusal = Schemas["Refusal"];
/** The progress of a long operation. */
export type Progress = Schemas["Progress"];
/** A counter that differs from the number of its records. */
export type Difference = Schemas["Difference"];
/** The result of a recount. */
export type RecountReport = Schemas["RecountReport"];
/** The result of a repair. */
export type RepairReport = Schemas["RepairReport"];
/** A line of a backup. */
export type BackupLine = Schemas["BackupLine"];
/** The numbers of records in a backup. */
export type BackupCounts = Schemas["BackupCounts"];
/** The request that begins a restore. */
export type RequestedRestore = Schemas["RequestedRestore"];
/** A running restore. */
export type Restore = Schemas["Restore"];
/** The result of a restore request with lines of a backup. */
export type RestoredLines = Schemas["RestoredLines"];
/** An entry of the audit log. */
export type AuditEntry = Schemas["AuditEntry"];
/** The last line of a complete answer with the audit log. */
export type AuditEnd = Schemas["AuditEnd"];
/** How the waitlist does. */
export type Overview = Schemas["Overview"];
/** Which letters and events to list. */
export type OutboxRequest = Schemas["OutboxRequest"];
/** Letters and events of the outbox. */
export type OutboxList = Schemas["OutboxList"];
/** A letter or an event of the outbox. */
export type ListedItem = Schemas["ListedItem"];
/** Which letters and events are tried again. */
export type RetryRequest = Schemas["RetryRequest"];
/** The result of trying letters and events again. */
export type RetryEnd = Schemas["RetryEnd"];
/** The events that were tried last. */
export type DeliveryList = Schemas["DeliveryList"];
/** An event, and its last try. */
export type ListedDelivery = Schemas["ListedDelivery"];
/** Where a test letter is to go. */
export type LetterTestRequest = Schemas["LetterTestRequest"];
/** What the mail server said to a test letter. */
export type LetterTest = Schemas["LetterTest"];
/** Whether a test event was taken. */
export type WebhookTest = Schemas["WebhookTest"];
/** Whom to list. */
export type ListRequest = Schemas["ListRequest"];
/** A page of people. */
export type SignupPage = Schemas["SignupPage"];
/** Several e-mail addresses. */
export type Addresses = Schemas["Addresses"];
/** Whom to ask again to confirm. */
export type ReminderRequest = Schemas["ReminderRequest"];
/** A line about a person who is not asked again. */
export type NotReminded = Schemas["NotReminded"];
/** The last line of the answer to a reminder. */
export type ReminderEnd = Schemas["ReminderEnd"];
/** What has become of addresses that were to be marked as undeliverable. */
export type UndeliverableReport = Schemas["UndeliverableReport"];
/** What has become of addresses to which letters were to go again. */
export type DeliverableReport = Schemas["DeliverableReport"];
/** Whom to erase by state and age. */
export type StateErasure = Schemas["StateErasure"];
/** The last line of the answer to an erasure by state and age. */
export type StateErasureEnd = Schemas["StateErasureEnd"];
/** A sign-up, and the wording that its proof names. */
export type ShownSignup = Schemas["ShownSignup"];
/** Which invitation to look at, by its code. */
export type InvitationCheck = Schemas["InvitationCheck"];
/** Which invitation to redeem, and for which account. */
export type InvitationRedemption = Schemas["InvitationRedemption"];
/** Until when an invitation is to hold. */
export type InvitationRenewal = Schemas["InvitationRenewal"];
/** An invitation, and what has become of it. */
export type Invitation = Schemas["Invitation"];
