/**
 * Answers `POST /hooks/mail/{provider}`, by which the provider of `MAIL_HOOK` reports bounces and complaints. Each
 * provider has a file that verifies its calls and reads its reports. `store_call.ts` stores the reports, and
 * `call_count.ts` counts the calls. @module
 */
import type { MailHook } from "../../config/mod.ts";
import {
  answerText,
  type ConnectionInfo,
  createClientAddressFinder,
  methodNotAllowed,
  readText,
} from "../../http/mod.ts";
import type { Allowance, CountRequest } from "../../limits/mod.ts";
import type { Observer } from "../../observe/mod.ts";
import { createRandomIds, type Runtime } from "../../runtime/mod.ts";
import { type CallCount, createCallCount } from "./call_count.ts";
import { generic } from "./generic.ts";
import { getShortText } from "./get_text.ts";
import { mailgun } from "./mailgun.ts";
import { postmark } from "./postmark.ts";
import type { HookProvider, SignedCall } from "./report.ts";
import { resend } from "./resend.ts";
import { ses } from "./ses.ts";
import type { SnsOptions } from "./sns_certificates.ts";
import { createReportStore, type ReportStoreOptions } from "./store_call.ts";

/** The functions that make the providers from the secret of `MAIL_HOOK`. Only `ses` needs the options. */
const PROVIDERS: Record<
  MailHook["provider"],
  (secret: string, options: SnsOptions) => HookProvider
> = { resend, generic, postmark, mailgun, ses };

/** What {@linkcode createMailHooks} needs. */
export interface MailHookOptions
  extends Pick<ReportStoreOptions, "noteMailReport" | "keepReportId"> {
  runtime: Pick<Runtime, "now" | "monotonic" | "random">;
  mailHook: MailHook | undefined;
  countRequest: CountRequest;
  trustedProxyHops: number;
  observer: Pick<Observer, "noteAnswer">;
  /**
   * Gets the text of a URL of SNS: a certificate, or the page that confirms a subscription. By default, the text is
   * fetched; tests give another function.
   */
  getText?: SnsOptions["getText"];
}

/** The answers to the provider's calls. */
export interface MailHooks {
  /** Whether a path is the path that the provider of `MAIL_HOOK` calls. */
  owns: (path: string) => boolean;
  answer: (request: Request, info: ConnectionInfo) => Promise<Response>;
}

/** The texts of the answers to refused calls, by status. */
const REFUSAL_TEXTS = {
  401: "The call is not signed with the secret of MAIL_HOOK.",
  408: "The body was cut.",
  413: "The body is larger than 64 KB.",
  500: "Something went wrong; send it again later.",
  503: "The signature cannot be verified now; send it again later.",
};

/** The status of the answer to a call whose body cannot be read. */
const STATUS_OF_READ_FAILURE = { payload_too_large: 413, body_cut: 408, not_utf8: 401 } as const;

type RefusalStatus = keyof typeof REFUSAL_TEXTS;

/**
 * The statuses after which the provider has to send the call again. These statuses stay even if the caller is beyond
 * the limit of calls, because some providers never repeat a call after a 429. Any other status then becomes 429.
 */
const REPEATABLE_STATUSES: readonly RefusalStatus[] = [500, 503];

/** The longest body that is read when the caller has reached the limit of calls, in bytes. No report is that long. */
const MAX_REPORT_BYTES = 16_384;

/**
 * Makes the answers to the provider's calls; `undefined` without a provider. A signed call does not count under the
 * limit of requests, because a provider may report many bounces at once. A refused call counts, and so does a call for
 * which the service fetches a certificate.
 */
export function createMailHooks(options: MailHookOptions): MailHooks | undefined {
  const { mailHook } = options;
  if (!mailHook) return undefined;
  const { runtime, countRequest, observer, noteMailReport, keepReportId } = options;
  const { monotonic, now, random } = runtime;
  const { provider: providerName, secret } = mailHook;
  const hookPath = `/hooks/mail/${providerName}`;
  const provider = PROVIDERS[providerName](secret, {
    getText: options.getText ?? getShortText,
    monotonic,
    now,
  });
  const addressOf = createClientAddressFinder(options.trustedProxyHops);
  const nextRequestId = createRandomIds({ length: 6, random });
  const storeReports = createReportStore({ runtime, providerName, noteMailReport, keepReportId });

  /** Reads a call and verifies its signature. Gives the status of the refusal of a call that cannot be accepted. */
  async function readCall(
    request: Request,
    callCount: CallCount,
  ): Promise<SignedCall | RefusalStatus> {
    const { headers } = request;
    if (provider.refusesHeaders?.(headers, now())) return 401;
    // The body is read even if the caller is beyond the limit, because a signed call does not count under the limit.
    const maxBytes = callCount.peek().allowed ? undefined : MAX_REPORT_BYTES;
    const body = await readText(request, maxBytes);
    if ("failure" in body) return STATUS_OF_READ_FAILURE[body.failure];
    const mayFetch = () => callCount.countOnce().allowed;
    const call = await provider.read({ headers, text: body.text, mayFetch });
    if (call === "unsigned") return 401;
    return call === "unverifiable" ? 503 : call;
  }

  async function answerCall(
    request: Request,
    { requestId, callCount }: { requestId: string; callCount: CallCount },
  ): Promise<HookAnswer> {
    try {
      const call = await readCall(request, callCount);
      if (typeof call === "number") return toRefusal(call, callCount.countOnce());
      const outcome = await storeReports(call, requestId);
      if (call.reports.length > 0) return { status: 200, text: "Taken.", outcome };
      return { status: 200, text: "Ignored, as it has no report in it." };
    } catch (error) {
      const cause = String((error as Error).stack ?? error);
      return { ...toRefusal(500, callCount.countOnce()), cause };
    }
  }

  async function answer(request: Request, info: ConnectionInfo): Promise<Response> {
    if (request.method !== "POST") return methodNotAllowed(["POST"]);
    const begunAt = monotonic();
    const requestId = nextRequestId();
    const callCount = createCallCount(countRequest, addressOf(request, info));
    const { status, text, retryAfter, outcome, cause } = await answerCall(request, {
      requestId,
      callCount,
    });
    const label = outcome === undefined ? "hooks.mail" : `hooks.mail ${outcome}`;
    observer.noteAnswer(
      { requestId, routeInfo: { label, template: hookPath }, method: "POST" },
      status,
      { ms: monotonic() - begunAt, ...cause && { cause } },
    );
    const headers = retryAfter ? { "Retry-After": String(retryAfter) } : {};
    return answerText(request, `${text}\n`, { status, headers });
  }

  return { owns: (path: string) => path === hookPath, answer };
}

/** The answer to a call, and the values that only the log gets. */
interface HookAnswer {
  status: number;
  text: string;
  /** The header `Retry-After`, in seconds. */
  retryAfter?: number;
  /** The outcome of the last report in the call. The summary in the log counts the call under this outcome. */
  outcome?: string;
  /** The error for the log. */
  cause?: string;
}

/** Makes the answer to a refused call: 429 if the caller is beyond the limit, unless the call has to be sent again. */
function toRefusal(status: RefusalStatus, { allowed, reset }: Allowance): HookAnswer {
  if (allowed) return { status, text: REFUSAL_TEXTS[status] };
  if (REPEATABLE_STATUSES.includes(status)) {
    return { status, text: REFUSAL_TEXTS[status], retryAfter: reset };
  }
  return { status: 429, text: `Too many calls; try again in ${reset} s.`, retryAfter: reset };
}
