/**
 * Stores the reports in a provider's call, each with an audit entry. The source file of the provider, such as
 * `postmark.ts`, has verified the call before. @module
 */
import { isUndeliverableStatus } from "../../../shared/delivery_status.ts";
import { storedEmailSchema } from "../../../shared/email_schema.ts";
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import type { MailHook } from "../../config/mod.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { newAuditEntry } from "../../store/audit/mod.ts";
import type { MailReport } from "../../store/people/mod.ts";
import { reasonWithoutRecipient } from "../reason.ts";
import type { ProviderReport, SignedCall } from "./report.ts";

/** How much of a provider's id of a letter an audit entry keeps, in characters. */
const MAX_MESSAGE_ID_LENGTH = 200;

/** What {@linkcode createReportStore} needs. */
export interface ReportStoreOptions {
  runtime: Pick<Runtime, "now" | "random">;
  providerName: MailHook["provider"];
  /** Stores the effect of a report and the ids of the report, so that a repeat has no effect. Gives the outcome. */
  noteMailReport: (report: MailReport, audit: AuditEntry) => Promise<string>;
  /** Stores the token of a call without readable reports, so that the token cannot be used for another call. */
  keepReportId: (id: string) => Promise<void>;
}

/**
 * Makes the function that stores the reports of a call. The function gives the outcome of the last readable report,
 * or `unknown` if there is none.
 */
export function createReportStore(
  { runtime, providerName, noteMailReport, keepReportId }: ReportStoreOptions,
): (call: SignedCall, requestId: string) => Promise<string> {
  /** Puts the provider's name before an id, because two providers may use the same id. */
  const toStoredId = (id: string) => `${providerName} ${id}`;

  /**
   * Gives the ids under which a report is stored. The report's id is stored, because a repeated report has the same id.
   * The token of the call is stored as well, because somebody could send a copy of the token with another report.
   */
  function storedIdsOf({ id }: ProviderReport, token: string | undefined): string[] {
    const ids = token === undefined || token === id ? [id] : [id, token];
    return ids.map(toStoredId);
  }

  /** Stores a report with its audit entry. Gives the outcome; `temporary` for a bounce that is not permanent. */
  async function storeReport(report: MailReport, requestId: string): Promise<string> {
    const { kind, permanent, reason, messageId } = report;
    const audit: AuditEntry = {
      ...newAuditEntry(kind === "bounced" ? "mailBounced" : "mailComplained", runtime),
      operator: "mail",
      requestId,
      details: {
        provider: providerName,
        ...reason && { reason },
        ...messageId && { messageId: messageId.slice(0, MAX_MESSAGE_ID_LENGTH) },
      },
    };
    const outcome = await noteMailReport(report, audit);
    return kind === "bounced" && !permanent ? "temporary" : outcome;
  }

  return async ({ reports, token }, requestId) => {
    const readableReports = reports.flatMap((report) =>
      toMailReport(report, storedIdsOf(report, token)) ?? []
    );
    // The token of a call without readable reports is stored as well, because somebody could send the token again, in a
    // call with a report.
    if (readableReports.length === 0 && token) await keepReportId(toStoredId(token));
    let outcome = "unknown";
    for (const report of readableReports) outcome = await storeReport(report, requestId);
    return outcome;
  };
}

/**
 * Gives a report in the form of the store; `undefined` for an e-mail address or a moment that the store cannot hold.
 * @param ids the ids under which the report is stored
 */
function toMailReport(report: ProviderReport, ids: string[]): MailReport | undefined {
  const { kind, permanent, status, messageId } = report;
  const email = report.email.trim().toLowerCase();
  const at = new Date(report.at);
  if (!storedEmailSchema.safeParse(email).success || Number.isNaN(at.getTime())) return undefined;
  const reason = reasonWithoutRecipient(email, report.reason);
  return {
    ids,
    email,
    kind,
    permanent: isUndeliverableStatus(status ?? undefined) ?? permanent,
    at: at.toISOString(),
    ...reason && { reason },
    ...messageId && { messageId },
  };
}
