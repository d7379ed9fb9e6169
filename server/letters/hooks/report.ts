/** What a provider's file gives to what all of them share. @module */
import type { MaybePromise } from "../../runtime/mod.ts";

/** What a provider reports of one letter. */
export interface ProviderReport {
  /** The same wherever the provider repeats the report. */
  id: string;
  /** As the provider has it. */
  email: string;
  kind: "bounced" | "complained";
  /** Whether the provider calls a bounce permanent; a status decides in its place. */
  permanent: boolean;
  /** The field of the report that holds an enhanced status code (RFC 3463), where the provider has one. */
  status?: string | null | undefined;
  reason: string;
  /** By which the provider, or its log, finds the letter. */
  messageId?: string | undefined;
  /** When it happened, by the provider's clock. */
  at: string | number;
}

/** A call that the provider has signed. */
export interface SignedCall {
  reports: ProviderReport[];
  /** What the provider has signed in place of the reports, so that it counts once. */
  token?: string;
}

/** What a provider's file makes of a call: `unverifiable` is a call that may be right, and has to come again. */
export type ReadCall = SignedCall | "unsigned" | "unverifiable";

export interface ReceivedCall {
  headers: Headers;
  text: string;
  /** Counts the call before something is fetched for it; false where its address has had its limit. */
  mayFetch: () => boolean;
}

export interface HookProvider {
  /** Tells by the headers alone that a request is not the provider's, so that its body is not read. */
  isForeign?: (headers: Headers, now: number) => boolean;
  /** Verifies a request, and reads its reports. */
  read: (call: ReceivedCall) => MaybePromise<ReadCall>;
}

/** Parses JSON; `undefined` for another text. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
