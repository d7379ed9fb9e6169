/**
 * The types of the schemas in `openapi/operator.yaml`, so that the server, the CLI and the console import each type by
 * one short name. `generated/operator.ts` has the types themselves.
 *
 * A type has the name of its schema, unless the code uses this name for something else: `Error` is built in, `Erasure`
 * is an act, and `Signup`, `Wave`, `Job` and `Schedule` would be mixed up with the things that the server stores and
 * reports.
 *
 * @module
 */
import type { components } from "./generated/operator.ts";

type Schemas = components["schemas"];

// OAuth clients and keys.

/** The request for a new OAuth client: its name and its scopes. */
export type RequestedClient = Schemas["RequestedClient"];
/** The request to rename an OAuth client. */
export type ClientName = Schemas["ClientName"];
/** A new OAuth client, with its secret. */
export type IssuedClient = Schemas["IssuedClient"];
/** An OAuth client in a list, without its secrets. */
export type ListedClient = Schemas["ListedClient"];
/** The request for a new secret of an OAuth client. */
export type SecretRotation = Schemas["SecretRotation"];
/** The new secret of an OAuth client. */
export type RotatedClient = Schemas["RotatedClient"];
/** The request for a new key for the links to self-service pages. */
export type LinkKeyRotationRequest = Schemas["LinkKeyRotationRequest"];

// People: selections, lists and exports.

/** Which people a list, an export or a job is about. */
export type PeopleSelection = Schemas["PeopleSelection"];
/** The request for a list of people. */
export type ListRequest = Schemas["ListRequest"];
/** A page of people. */
export type SignupPage = Schemas["SignupPage"];
/** A person in a list. */
export type ListedSignup = Schemas["ListedSignup"];
/** The request to count people: which people, and where to continue an earlier count. */
export type SignupCountRequest = Schemas["SignupCountRequest"];
/** A filter of the list of people that an operator has saved. */
export type SavedFilter = Schemas["SavedFilter"];
/** The name of a saved filter. */
export type FilterName = Schemas["FilterName"];
/** The request for an export: which sign-ups, and where to continue an interrupted export. */
export type ExportRequest = Schemas["ExportRequest"];
/** The first line of an export. */
export type ExportStart = Schemas["ExportStart"];
/** A line of an export that names an unreadable record. */
export type ExportUnreadable = Schemas["ExportUnreadable"];
/** A line of an export that says how many records have been read so far. */
export type ExportProgress = Schemas["ExportProgress"];
/** The last line of a complete export. */
export type ExportEnd = Schemas["ExportEnd"];
/** The key of an unreadable record, and why the record is unreadable. */
export type UnreadableRecord = Schemas["UnreadableRecord"];

// One person, and changes of people.

/** The request about one person: the e-mail address. It is in the body, because URLs are logged. */
export type Address = Schemas["Address"];
/** Several e-mail addresses, and the reason for the operation on them. The history of each person shows the reason. */
export type Addresses = Schemas["Addresses"];
/** A stored sign-up with its address. */
export type StoredSignup = Schemas["Signup"];
/** The request to show a record: the address or the id, and whether the operator exports the data. */
export type ShowRequest = Schemas["ShowRequest"];
/** A sign-up with its history, and with the wording of the consent to which its proof of consent refers. */
export type ShownSignup = Schemas["ShownSignup"];
/** The request to change the answers of a person: the address of the person, and the new answers. */
export type AnswersRequest = Schemas["AnswersRequest"];
/** The request to change the note about a person: the address of the person, and the new note. */
export type NoteRequest = Schemas["NoteRequest"];
/** The request for a correction: the present address and the new one. */
export type CorrectionRequest = Schemas["CorrectionRequest"];
/**
 * The result of a correction of an address: whether this call or an earlier call corrected it, and the person's state.
 */
export type Correction = Schemas["Correction"];
/** The result of an erasure: whether this call or an earlier call erased the address, and when. */
export type ErasureOutcome = Schemas["Erasure"];
/** The request to erase all people who are in one state and signed up before a date. */
export type StateErasure = Schemas["StateErasure"];
/** The last line of the answer to a request to erase all people who are in one state. */
export type StateErasureEnd = Schemas["StateErasureEnd"];
/** The request for reminders: which people to ask again to confirm. */
export type ReminderRequest = Schemas["ReminderRequest"];
/** A line in the answer to a request for reminders. The line names a person who gets no reminder. */
export type NotReminded = Schemas["NotReminded"];
/** The last line of the answer to a request for reminders. */
export type ReminderEnd = Schemas["ReminderEnd"];
/** The result of marking addresses as undeliverable: how many are marked now, and which could not be marked. */
export type UndeliverableReport = Schemas["UndeliverableReport"];
/**
 * The result of allowing letters to addresses again: how many are allowed now, and which are not, because they are not
 * on the list or cannot be read.
 */
export type DeliverableReport = Schemas["DeliverableReport"];
/** The request for a job: the act, the people, and the number of people. */
export type JobRequest = Schemas["JobRequest"];
/** A job (one act on everybody who fits a selection) with its progress. */
export type JobReport = Schemas["Job"];

// Waves, schedules of waves, and invitations.

/** The request for a wave: which people to invite, and the link in their letters. */
export type WaveRequest = Schemas["WaveRequest"];
/** A wave of invitations. */
export type WaveReport = Schemas["Wave"];
/** The plan of a wave: how many people it would invite. */
export type WavePlan = Schemas["WavePlan"];
/** How many people fit the request of a wave but are not invited, by the reason. */
export type PassedOver = Schemas["PassedOver"];
/** A person who was named in the request of a wave and cannot be invited. */
export type NotInvited = Schemas["NotInvited"];
/** A page of the people in a wave. */
export type WavePeople = Schemas["WavePeople"];
/** A person in a wave. */
export type InvitedSignup = Schemas["InvitedSignup"];
/** The request for a schedule of waves: whom each run invites, and when the runs are due. */
export type ScheduleRequest = Schemas["ScheduleRequest"];
/** A schedule of waves. */
export type ScheduleReport = Schemas["Schedule"];
/** What the next runs of a schedule, at most three, would do if nobody joined or left. */
export type SchedulePlan = Schemas["SchedulePlan"];
/** The request to check an invitation code. */
export type InvitationCheck = Schemas["InvitationCheck"];
/** The request to redeem an invitation code for an account. */
export type InvitationRedemption = Schemas["InvitationRedemption"];
/** The request to move the expiry of an invitation to another time. */
export type InvitationRenewal = Schemas["InvitationRenewal"];
/** An invitation and its state. */
export type Invitation = Schemas["Invitation"];

// Letters and events.

/** The request for the log of letters. */
export type LetterLogRequest = Schemas["LetterLogRequest"];
/** What became of a letter. */
export type LoggedLetter = Schemas["LoggedLetter"];
/** What became of a letter, with the person to whom it went. */
export type ListedLetter = Schemas["ListedLetter"];
/** The request for a list of the outbox. */
export type OutboxRequest = Schemas["OutboxRequest"];
/** A page of the letters and events in the outbox. */
export type OutboxList = Schemas["OutboxList"];
/** A letter or an event in the outbox. */
export type ListedItem = Schemas["ListedItem"];
/** The request to try letters and events again. */
export type RetryRequest = Schemas["RetryRequest"];
/** The last line of the answer to a request to try letters and events again. */
export type RetryEnd = Schemas["RetryEnd"];
/** An event, and the last try to deliver the event. */
export type ListedDelivery = Schemas["ListedDelivery"];
/** The request for a test letter. */
export type LetterTestRequest = Schemas["LetterTestRequest"];
/** The answer of the mail server to a test letter. */
export type LetterTest = Schemas["LetterTest"];
/** The request for a test invitation. */
export type InvitationTestRequest = Schemas["InvitationTestRequest"];
/** The answer of the mail server to a test invitation. */
export type TestedInvitation = Schemas["TestedInvitation"];
/** The answer of the receiver to a test event. */
export type WebhookTest = Schemas["WebhookTest"];

// Imports, counters, backups and restores.

/** A line of an import. */
export type ImportLine = Schemas["ImportLine"];
/** The result of an import: how many lines were stored, and which were refused. */
export type ImportReport = Schemas["ImportReport"];
/** A refused line of an import. */
export type Refusal = Schemas["Refusal"];
/** A line in the answer of a long operation that says how many records have been processed so far. */
export type Progress = Schemas["Progress"];
/** A counter that differs from the recounted number of records. */
export type Difference = Schemas["Difference"];
/** The result of a recount of all records. */
export type RecountReport = Schemas["RecountReport"];
/** The result of a repair of the counters. */
export type RepairReport = Schemas["RepairReport"];
/** A line of a backup. */
export type BackupLine = Schemas["BackupLine"];
/** The numbers of records in a backup. */
export type BackupCounts = Schemas["BackupCounts"];
/** The request that begins a restore. */
export type RequestedRestore = Schemas["RequestedRestore"];
/** A running restore: the checksum and the counts of its backup, and the time when it began. */
export type Restore = Schemas["Restore"];
/**
 * The result of one request that restores some lines of a backup: the numbers of restored, unchanged and erased lines.
 */
export type RestoredLines = Schemas["RestoredLines"];

// The audit log, the overview and errors.

/** An entry of the audit log. */
export type AuditEntry = Schemas["AuditEntry"];
/** The last line of a complete answer with entries of the audit log. */
export type AuditEnd = Schemas["AuditEnd"];
/** The overview: people, sign-ups, letters, events, backups and problems. */
export type Overview = Schemas["Overview"];
/** An error of the operator surface. */
export type OperatorError = Schemas["Error"];
