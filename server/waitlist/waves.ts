/** Whom a wave can invite, and where an invitation leads. @module */
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { InvitationRequest, NotInvited } from "../../shared/operator_schemas.ts";
import type { SignUpRecord } from "./record.ts";

/** What a wave, or another selection of people, can be limited to. */
export const FILTERS = ["lang", "source", "role", "building"] as const;

export type PeopleFilter = Partial<Record<typeof FILTERS[number], string | undefined>>;

export function matchesFilter(person: PeopleFilter, filter: PeopleFilter): boolean {
  return FILTERS.every((name) => filter[name] === undefined || filter[name] === person[name]);
}

/** Whoever asks for a wave again must give the same. */
export interface WaveParameters extends Omit<InvitationRequest, "wave" | "emails" | "dryRun"> {
  /** A salted hash of the addresses, so that no erased address stays in it. */
  emails?: string;
}

/** As it is stored. */
export interface Wave {
  parameters: WaveParameters;
  /** The salt of the hash of the addresses. */
  salt: string;
  /** Whoever is erased later still counts. */
  invited: number;
  startedAt: string;
  /** Once nobody else is to be invited. */
  done?: true;
}

export function waveParameters(
  { wave: _, dryRun: _dryRun, emails, ...parameters }: InvitationRequest,
  salt: string,
): WaveParameters {
  if (!emails) return parameters;
  const hash = createHash("sha256").update(JSON.stringify([salt, ...emails.toSorted()]));
  return { ...parameters, emails: hash.digest("base64url") };
}

/** Whether a request has the parameters that the wave was begun with. */
export function asksForWave(request: InvitationRequest, { parameters, salt }: Wave): boolean {
  return isDeepStrictEqual(waveParameters(request, salt), parameters);
}

export type NotInvitedReason = NotInvited["notInvited"]["reason"];

/** `undefined` where a wave can invite the person. */
export function reasonNotToInvite(record: SignUpRecord | undefined): NotInvitedReason | undefined {
  if (!record) return "unknown";
  if (record.state === "accepted") return "invited";
  if (record.state !== "waiting") return record.state;
  return record.undeliverableAt || record.complainedAt ? "undeliverable" : undefined;
}

/** Becomes the person's code in the link of a wave. */
const CODE = "{code}";

export function invitationUrl(link: string, code: string): string {
  return link.replaceAll(CODE, () => code);
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Whether letters can have a link: an absolute URL by TLS, or to this machine. */
export function isSafeLink(link: string): boolean {
  // A URL parser would leave out spaces and line feeds.
  const url = /^[\x21-\x7e]+$/.test(link) ? URL.parse(invitationUrl(link, "code")) : null;
  if (!url) return false;
  return url.protocol === "https:" || url.protocol === "http:" && LOOPBACK.test(url.hostname);
}
