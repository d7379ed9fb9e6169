/** What a provider's file gives to what all of them share. @module */
import type { MaybePromise } from "../../runtime/mod.ts";

/** What a provider reports of one letter. */
export interface ProviderReport {
  /** The same wherever the provider repeats the report. */
  id: string;
  /** What the provider has signed in place of the report, so that it counts once. */
  token?: string;
  /** As the provider has it. */
  email: string;
  kind: "bounced" | "complained";
  permanent: boolean;
  reason: string;
  /** By which the provider, or its log, finds the letter. */
  messageId?: string | undefined;
  /** When it happened, by the provider's clock. */
  at: string | number;
}

export interface HookProvider {
  /** Tells by the headers alone that a request is not the provider's, so that its body is not read. */
  isForeign?: (headers: Headers, now: number) => boolean;
  /** Verifies a request, and reads its reports; `undefined` where the provider has not signed it. */
  read: (request: { headers: Headers; text: string }) => MaybePromise<ProviderReport[] | undefined>;
}

/** Parses JSON; `undefined` for another text. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
