/** The functions of the person's page on a store, as the service has them, and one person in it. @module */
import { createLog } from "../../server/runtime/mod.ts";
import { openSelfServiceKey, readSelfServiceKeys } from "../../server/store/credentials/keys.ts";
import { findInvitationUrl } from "../../server/store/invitations/mod.ts";
import type { SelfServiceOptions } from "../../server/store/people/self_service.ts";
import {
  createSelfService,
  createSelfServiceCalls,
} from "../../server/store/people/self_service.ts";
import type { SignUpRecord, State } from "../../server/waitlist/record.ts";
import { OUTBOX, random } from "./records.ts";
import { putPerson, tokenOf } from "./self_service.ts";
import { START } from "./service.ts";
import type { Kv } from "../../server/store/kv/engine.ts";
import { readOne } from "../../server/store/kv/calls.ts";
import { openMemoryKv } from "./memory_kv.ts";

/** The address of the person. */
export const ADA = "ada@example.com";

/** The functions of the page on a KV; `now` may be moved. */
export function selfService(kv: Kv, clock = { now: START }, later?: SelfServiceOptions["later"]) {
  const logged: string[] = [];
  const log = createLog({ level: "debug", now: () => START, write: (line) => logged.push(line) });
  const now = () => clock.now;
  const options = {
    kv,
    outbox: OUTBOX,
    referrals: false,
    placeInLine: true,
    readKeys: (kv: Kv) => readSelfServiceKeys(kv, 0),
    findInvitationUrl,
  };
  return {
    ...createSelfServiceCalls({ ...options, now }),
    ...createSelfService({
      ...options,
      runtime: { now, monotonic: now, log },
      ...later && { later },
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
