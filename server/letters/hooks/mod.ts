/** Takes reports of the configured mail provider, a file each; first of all, it verifies the signature. @module */
import { keptEmailSchema } from "../../../shared/email_schema.ts";
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import type { MailHook } from "../../config/mod.ts";
import { answerText, clientAddress, type ConnectionInfo } from "../../http/mod.ts";
import { methodNotAllowed, readText } from "../../http/mod.ts";
import { type ClientAddress, type CountRequest, LIMITS } from "../../limits/mod.ts";
import type { Observer } from "../../observe/mod.ts";
import { createRandomIds, type Runtime } from "../../runtime/mod.ts";
import { newAuditEntry } from "../../store/audit/mod.ts";
import type { MailReport } from "../../store/people/mod.ts";
import { getText } from "../call.ts";
import { reasonWithout } from "../letter.ts";
import { mailgun } from "./mailgun.ts";
import { postmark } from "./postmark.ts";
import type { HookProvider, ProviderReport } from "./report.ts";
import { resend } from "./resend.ts";
import { ses, type SnsCheckOptions } from "./ses.ts";
import { generic } from "./standard_webhooks.ts";

const PROVIDERS: Record<
  MailHook["provider"],
  (secret: string, options: SnsCheckOptions) => HookProvider
> = { resend, generic, postmark, mailgun, ses };

export interface MailHookOptions
  extends Pick<Runtime, "now" | "monotonic" | "random">, Partial<Pick<SnsCheckOptions, "getText">> {
  mailHook: MailHook | undefined;
  countRequest: CountRequest;
  trustedProxyHops: number;
  observer: Pick<Observer, "answered">;
  /** Makes a report's effect durable, once; gives what became of it. */
  noteMailReport: (report: MailReport, audit: AuditEntry) => Promise<string>;
}

export type MailHooks = NonNullable<ReturnType<typeof createMailHooks>>;

const REFUSALS = {
  401: "The call is not signed with the secret of MAIL_HOOK.",
  408: "The body was cut.",
  413: "The body is larger than 64 KB.",
};

const STATUS = { payload_too_large: 413, body_cut: 408, not_utf8: 401 } as const;

type Reports = ProviderReport[] | keyof typeof REFUSALS;

/** What is read of a body, in bytes, once its address has had its refusals: enough for reports, and cheap to refuse. */
const REPORT_BYTES = 16_384;

/** Makes what answers the provider's calls; absent where there is no provider. */
export function createMailHooks({ mailHook, ...options }: MailHookOptions) {
  if (!mailHook) return undefined;
  const { countRequest, observer, noteMailReport, monotonic, now, random } = options;
  const { provider: name, secret } = mailHook;
  const template = `/hooks/mail/${name}`;
  const provider = PROVIDERS[name](secret, { getText, ...options });
  const addressOf = clientAddress(options.trustedProxyHops);
  const nextRequestId = createRandomIds({ length: 6, random });

  async function readReports(request: Request, address: ClientAddress): Promise<Reports> {
    const { headers } = request;
    if (provider.isForeign?.(headers, now())) return 401;
    const { allowed } = countRequest(LIMITS.default, address, false);
    const read = await readText(request, allowed ? undefined : REPORT_BYTES);
    if ("failure" in read) return STATUS[read.failure];
    const { text } = read;
    return await provider.read({ headers, text }) ?? 401;
  }

  async function note(report: ProviderReport, requestId: string): Promise<string> {
    const { id, token = id, kind, permanent, messageId } = report;
    const email = report.email.trim().toLowerCase();
    const at = new Date(report.at);
    if (!keptEmailSchema.safeParse(email).success || Number.isNaN(at.getTime())) return "unknown";
    if (kind === "bounced" && !permanent) return "temporary";
    const reason = reasonWithout(email, report.reason);
    const audit: AuditEntry = {
      ...newAuditEntry(kind === "bounced" ? "mailBounced" : "mailComplained", options),
      operator: "mail",
      requestId,
      details: {
        provider: name,
        ...reason && { reason },
        ...messageId && { messageId: messageId.slice(0, 200) },
      },
    };
    const ids = Array.from(new Set([id, token]), (each) => `${name} ${each}`);
    return await noteMailReport({ ids, email, kind, permanent, at: at.toISOString() }, audit);
  }

  async function answer(request: Request, info: ConnectionInfo): Promise<Response> {
    if (request.method !== "POST") return methodNotAllowed(["POST"]);
    const began = monotonic();
    const requestId = nextRequestId();
    let label = "hooks.mail";
    const finish = (status: number, text: string, retryAfter?: number, cause?: string) => {
      const timing = { ms: monotonic() - began, ...cause && { cause } };
      const routeInfo = { label, template };
      observer.answered({ requestId, routeInfo, method: "POST" }, status, timing);
      const headers = retryAfter ? { "Retry-After": String(retryAfter) } : {};
      return answerText(request, `${text}\n`, { status, headers });
    };
    try {
      const address = addressOf(request, info);
      const reports = await readReports(request, address);
      if (typeof reports === "number") {
        const { allowed, reset } = countRequest(LIMITS.default, address);
        return allowed
          ? finish(reports, REFUSALS[reports])
          : finish(429, `Too many calls; try again in ${reset} s.`, reset);
      }
      // The summary in the log counts calls, each by what became of its last report.
      for (const report of reports) label = `hooks.mail ${await note(report, requestId)}`;
      return finish(200, reports.length > 0 ? "Taken." : "Ignored, as it has no report in it.");
    } catch (error) {
      const cause = String((error as Error).stack ?? error);
      return finish(500, "Something went wrong; send it again later.", undefined, cause);
    }
  }

  return { owns: (path: string) => path === template, answer };
}
