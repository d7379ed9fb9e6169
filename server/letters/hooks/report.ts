/**
 * The interface between the files of the providers and the code that all providers share, and the function by which the
 * providers parse JSON. @module
 */
import type { MaybePromise } from "../../runtime/mod.ts";

/** A provider's report about one letter. */
export interface ProviderReport {
  /** An id that is the same each time the provider sends the report. */
  id: string;
  /** The recipient's e-mail address, as the provider writes it. */
  email: string;
  kind: "bounced" | "complained";
  /** Whether the provider calls a bounce permanent. This value is used only if `status` has no enhanced status code. */
  permanent: boolean;
  /** The text that holds the enhanced status code (RFC 3463), if the provider sends one. */
  status?: string | null | undefined;
  /** The provider's or the mail server's words about the cause. It is empty if the provider sends none. */
  reason: string;
  /** The provider's own id of the letter. */
  messageId?: string | undefined;
  /**
   * The moment of the bounce or the complaint by the provider's clock, as a date-time or in milliseconds since 1970.
   */
  at: string | number;
}

/** A call that comes from the provider, because its signature or its password is right. */
export interface SignedCall {
  /**
   * The bounces and complaints in the call. The list is empty for a call about something else, such as a delivery,
   * because an operator may let the provider send more kinds of calls than the service uses.
   */
  reports: ProviderReport[];
  /**
   * The value that the provider signs in place of the reports. A second call with the same token has no effect. A call
   * with a token has one report at most.
   */
  token?: string;
}

/** A call as a provider's file gets it. */
export interface ReceivedCall {
  /** The headers of the call, which `refusesHeaders()` has accepted. */
  headers: Headers;
  /** The body of the call. */
  text: string;
  /**
   * Counts the call under the limit of calls, before the service fetches a certificate because of the call. Gives false
   * if the caller is beyond the limit.
   */
  mayFetch: () => boolean;
}

/** Checks and reads the calls of one provider. */
export interface HookProvider {
  /**
   * Whether the headers alone show that a call is not from the provider, or comes too late. The body of such a call is
   * not read.
   * @param now the present moment, in milliseconds since 1970
   */
  refusesHeaders?: (headers: Headers, now: number) => boolean;
  /**
   * Verifies the signature of a call, if the provider signs calls, and reads the reports of the call. Is called only
   * after `refusesHeaders()` has given false.
   * @returns "unsigned" if the call has no right signature, or only an old one; "unverifiable" if the signature cannot
   * be verified now
   */
  read: (call: ReceivedCall) => MaybePromise<SignedCall | "unsigned" | "unverifiable">;
}

/** Parses JSON; gives `undefined` for any other text. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
