/**
 * Answers `POST /hooks/mail/{provider}`, by which the provider of `MAIL_HOOK` reports bounces and complaints. Each
 * provider has a file that verifies its calls and reads its reports. @module
 */
import { endsLetters } from "../../../shared/delivery_status.ts";
import { storedEmailSchema } from "../../../shared/email_schema.ts";
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import type { MailHook } from "../../config/mod.ts";
import {
  answerText,
  clientAddress,
  type ConnectionInfo,
  methodNotAllowed,
  readText,
} from "../../http/mod.ts";
import { type Allowance, type ClientAddress, type CountRequest, LIMITS } from "../../limits/mod.ts";
import type { Observer } from "../../observe/mod.ts";
import { createRandomIds, type Runtime } from "../../runtime/mod.ts";
import { newAuditEntry } from "../../store/audit/mod.ts";
import type { MailReport } from "../../store/people/mod.ts";
import { getText } from "../call.ts";
import { reasonWithout } from "../reason.ts";
import { mailgun } from "./mailgun.ts";
import { postmark } from "./postmark.ts";
import type { HookProvider, ProviderReport, SignedCall } from "./report.ts";
import { resend } from "./resend.ts";
import { ses } from "./ses.ts";
import type { SnsOptions } from "./sns.ts";
import { generic } from "./standard_webhooks.ts";

const PROVIDERS: Record<
  MailHook["provider"],
  (secret: string, options: SnsOptions) => HookProvider
> = { resend, generic, postmark, mailgun, ses };

export interface MailHookOptions {
  runtime: Pick<Runtime, "now" | "monotonic" | "random">;
  mailHook: MailHook | undefined;
  countRequest: CountRequest;
  trustedProxyHops: number;
  observer: Pick<Observer, "noteAnswer">;
  /** Stores the effect of a report and the ids of the report, so that a repeat has no effect. Gives the outcome. */
  noteMailReport: (report: MailReport, audit: AuditEntry) => Promise<string>;
  /** Stores the token of a call without readable reports, so that the token cannot be used for another call. */
  keepReportId: (id: string) => Promise<void>;
  /** Gets the text of a certificate of SNS. By default, the certificate is fetched; tests give another function. */
  getText?: SnsOptions["getText"];
}

export interface MailHooks {
  /** Whether a path is the one that the provider of `MAIL_HOOK` calls. */
  owns: (path: string) => boolean;
  answer: (request: Request, info: ConnectionInfo) => Promise<Response>;
}

const REFUSALS = {
  401: "The call is not signed with the secret of MAIL_HOOK.",
  408: "The body was cut.",
  413: "The body is larger than 64 KB.",
  500: "Something went wrong; send it again later.",
  503: "The signature cannot be verified now; send it again later.",
};

const STATUS = { payload_too_large: 413, body_cut: 408, not_utf8: 401 } as const;

type Refusal = keyof typeof REFUSALS;

/**
 * The refusals after which the provider has to send the call again. Beyond the limit of requests, other refusals become
 * 429 but these do not, because some providers never repeat a call after a 429.
 */
const FAILURES: readonly Refusal[] = [500, 503];

/** The longest body that is read once the caller's address has reached its limit, in bytes. No report is that long. */
const REPORT_BYTES = 16_384;

/** Makes the answers to the provider's calls; `undefined` without a provider. */
export function createMailHooks(options: MailHookOptions): MailHooks | undefined {
  const { mailHook } = options;
  if (!mailHook) return undefined;
  const { countRequest, observer, noteMailReport, keepReportId } = options;
  const { monotonic, now, random } = options.runtime;
  const { provider: name, secret } = mailHook;
  const template = `/hooks/mail/${name}`;
  const provider = PROVIDERS[name](secret, {
    getText: options.getText ?? getText,
    monotonic,
    now,
  });
  const addressOf = clientAddress(options.trustedProxyHops);
  const nextRequestId = createRandomIds({ length: 6, random });

  async function readCall(request: Request, count: CountCall): Promise<SignedCall | Refusal> {
    const { headers } = request;
    if (provider.isForeign?.(headers, now())) return 401;
    const read = await readText(request, count.look().allowed ? undefined : REPORT_BYTES);
    if ("failure" in read) return STATUS[read.failure];
    const mayFetch = () => count.once().allowed;
    const call = await provider.read({ headers, text: read.text, mayFetch });
    if (call === "unsigned") return 401;
    return call === "unverifiable" ? 503 : call;
  }

  /** Stores the reports of a call; gives the outcome of the last report. */
  async function note({ reports, token }: SignedCall, requestId: string): Promise<string> {
    const readable = reports.flatMap((report) => normalise(report) ?? []);
    // The token is stored without reports as well, because somebody could send it again with another report.
    if (readable.length === 0 && token) await keepReportId(`${name} ${token}`);
    let outcome = "unknown";
    for (const report of readable) outcome = await noteReport(report, token, requestId);
    return outcome;
  }

  async function noteReport(
    { id, reason, messageId, ...report }: NormalReport,
    token: string | undefined,
    requestId: string,
  ): Promise<string> {
    const { kind, permanent, email } = report;
    const said = reasonWithout(email, reason);
    const audit: AuditEntry = {
      ...newAuditEntry(kind === "bounced" ? "mailBounced" : "mailComplained", options.runtime),
      operator: "mail",
      requestId,
      details: {
        provider: name,
        ...said && { reason: said },
        ...messageId && { messageId: messageId.slice(0, 200) },
      },
    };
    const ids = Array.from(new Set([id, token ?? id]), (each) => `${name} ${each}`);
    const about = { ...said && { reason: said }, ...messageId && { messageId } };
    const outcome = await noteMailReport({ ...report, ...about, ids }, audit);
    return kind === "bounced" && !permanent ? "temporary" : outcome;
  }

  async function answer(request: Request, info: ConnectionInfo): Promise<Response> {
    if (request.method !== "POST") return methodNotAllowed(["POST"]);
    const began = monotonic();
    const requestId = nextRequestId();
    let label = "hooks.mail";
    const count = countCall(countRequest, addressOf(request, info));
    const finish = (status: number, text: string, retryAfter?: number, cause?: string) => {
      const timing = { ms: monotonic() - began, ...cause && { cause } };
      const routeInfo = { label, template };
      observer.noteAnswer({ requestId, routeInfo, method: "POST" }, status, timing);
      const headers = retryAfter ? { "Retry-After": String(retryAfter) } : {};
      return answerText(request, `${text}\n`, { status, headers });
    };
    const refuse = (status: Refusal, cause?: string) => {
      const { allowed, reset } = count.once();
      const isFailure = FAILURES.includes(status);
      return allowed || isFailure
        ? finish(status, REFUSALS[status], isFailure && !allowed ? reset : undefined, cause)
        : finish(429, `Too many calls; try again in ${reset} s.`, reset);
    };
    try {
      const call = await readCall(request, count);
      if (typeof call === "number") return refuse(call);
      const { length } = call.reports;
      const outcome = await note(call, requestId);
      // The summary in the log counts each call under the outcome of its last report.
      if (length > 0) label = `hooks.mail ${outcome}`;
      return finish(200, length > 0 ? "Taken." : "Ignored, as it has no report in it.");
    } catch (error) {
      return refuse(500, String((error as Error).stack ?? error));
    }
  }

  return { owns: (path: string) => path === template, answer };
}

/** A report whose address and moment have the form of the store. */
type NormalReport = Omit<ProviderReport, "status" | "at"> & { at: string };

/** Gives a report in the form of the store; `undefined` for an address or a moment that the store cannot hold. */
function normalise({ status, ...report }: ProviderReport): NormalReport | undefined {
  const email = report.email.trim().toLowerCase();
  const at = new Date(report.at);
  if (!storedEmailSchema.safeParse(email).success || Number.isNaN(at.getTime())) return undefined;
  const permanent = endsLetters(status ?? undefined) ?? report.permanent;
  return { ...report, email, permanent, at: at.toISOString() };
}

interface CountCall {
  /** Gives whether the network address of the caller may make one more call, without counting the provider's call. */
  look: () => Allowance;
  /**
   * Counts the provider's call, but only once however often this function is called. Gives whether the network address
   * of the caller is within its limit of calls.
   */
  once: () => Allowance;
}

/** Counts one call under the limit `default`. */
function countCall(countRequest: CountRequest, address: ClientAddress): CountCall {
  let counted: Allowance | undefined;
  return {
    look: () => countRequest(LIMITS.default, address, false),
    once: () => counted ??= countRequest(LIMITS.default, address),
  };
}
