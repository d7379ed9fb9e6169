/**
 * People in each state, the links to their pages, and the functions of the self-service page on a store, for tests of that
 * page. @module
 */
import assert from "node:assert/strict";
import type { Buffer } from "node:buffer";
import { base64url, CompactEncrypt } from "jose";
import { storeSignUps } from "../../server/store/people/sign_ups.ts";
import { decodeAlphanumeric } from "../../server/waitlist/alphanumeric.ts";
import { confirmSignUp, inviteSignUp } from "../../server/waitlist/transitions.ts";
import type { Lang, SignUpRecord, State } from "../../server/waitlist/record.ts";
import { changeRecord, OUTBOX, random, recordId, recordOf } from "./records.ts";
import type { Kv } from "../../server/store/kv/engine.ts";
import { readOne } from "../../server/store/kv/calls.ts";
import { createLog } from "../../server/runtime/mod.ts";
import {
  openSelfServiceKey,
  readSelfServiceKeys,
} from "../../server/store/credentials/self_service_keys.ts";
import { findInvitationUrl } from "../../server/store/invitations/mod.ts";
import {
  createSelfService,
  createSelfServiceCalls,
  type SelfServiceOptions,
} from "../../server/store/people/self_service.ts";
import { form, json, START, type TestService } from "./service.ts";
import { openMemoryKv } from "./memory_kv.ts";

/** When the people of a test signed up. */
export const SIGNED_UP = "2026-11-20T08:00:00.000Z";

/** A person of a test. */
export interface TestPerson {
  email: string;
  state: State;
  lang?: Lang;
}

/** Puts a person on the list and brings the person into a state; gives the record. */
export async function putPerson(
  kv: Kv,
  { email, state, lang = "en" }: TestPerson,
): Promise<SignUpRecord> {
  const signUp = { email, lang, source: "hero" } as const;
  await storeSignUps(kv, [{ signUp, at: SIGNED_UP, id: recordId() }], { outbox: OUTBOX });
  const at = "2026-11-20T09:00:00.000Z";
  if (state !== "unconfirmed") {
    const consent = { at, consentText: "c".repeat(43) };
    await changeRecord(kv, email, (record) => confirmSignUp(record, consent));
  }
  if (state === "invited") {
    const invitation = { at, invitationCode: "code-of-the-invitation", wave: "spring" };
    await changeRecord(kv, email, (record) => inviteSignUp(record, invitation));
  }
  return await recordOf(kv, email);
}

/** Makes a token with the store's key, by code that is not the service's. */
export async function tokenOf(kv: Kv, email: string, id: string): Promise<string> {
  const { value } = await readOne<string[]>(kv, ["place_keys"]);
  return await encrypt(`${id}${email}`, base64url.decode(value![0]!));
}

/**
 * Signs a person up in a running service, and confirms the address on the person's page.
 * @param referralCode the code of the link by which the person comes
 */
export async function confirmPerson(
  service: Pick<TestService, "kv" | "request">,
  email: string,
  referralCode?: string,
): Promise<void> {
  const path = `/api/v1/waitlist${referralCode ? `?r=${referralCode}` : ""}`;
  await (await service.request(path, json({ email, consent: true }))).body?.cancel();
  const { id } = await recordOf(service.kv, email);
  const t = await tokenOf(service.kv, email, id);
  const { status } = await service.request("/place/confirm", form({ t }));
  assert.equal(status, 303);
}

/** Encrypts a text as the token of a link; `header` may ask for something else than the service does. */
export async function encrypt(
  text: string,
  key: Uint8Array,
  header: Record<string, unknown> = {},
): Promise<string> {
  return await new CompactEncrypt(new TextEncoder().encode(text))
    .setProtectedHeader({ alg: "dir", enc: "A256GCM", ...header })
    .encrypt(key);
}

/** The token in the URL of a link. */
export const tokenIn = (url: string) => new URL(url).searchParams.get("t") ?? "";

/** The initialization vector, the ciphertext and the tag of a token. */
export function partsOf(token: string): Buffer[] {
  const bytes = decodeAlphanumeric(token)!;
  return [bytes.subarray(0, 12), bytes.subarray(12, -16), bytes.subarray(-16)];
}

/** The address of the person. */
export const ADA = "ada@example.com";

/** The functions of the page on a KV; `now` may be moved. */
export function selfService(
  kv: Kv,
  clock = { now: START },
  callLater?: SelfServiceOptions["callLater"],
) {
  const logged: string[] = [];
  const log = createLog({ level: "debug", now: () => START, write: (line) => logged.push(line) });
  const now = () => clock.now;
  const options = {
    kv,
    outbox: OUTBOX,
    givesReferralCodes: false,
    showsPlaceInLine: true,
    readKeys: (kv: Kv) => readSelfServiceKeys(kv, 0),
    findInvitationUrl,
  };
  return {
    ...createSelfServiceCalls({ ...options, now }),
    ...createSelfService({
      ...options,
      runtime: { now, monotonic: now, log },
      ...callLater && { callLater },
    }),
    logged,
  };
}

/** A KV with a person in a state, and the person's token. */
export async function withPerson(state: State) {
  const kv = await openMemoryKv();
  await openSelfServiceKey(kv, random);
  const record = await putPerson(kv, { email: ADA, state });
  const owner = { email: ADA, id: record.id };
  return { kv, record, owner, token: await tokenOf(kv, ADA, record.id) };
}

/** The record of the person; `undefined` where there is none. */
export const findAda = async (kv: Kv) =>
  (await readOne<SignUpRecord>(kv, ["sign_up", ADA])).value ?? undefined;
