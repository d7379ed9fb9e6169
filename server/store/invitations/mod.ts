/** Waves of invitations: what a wave was begun with, how many people it has invited, and who they are. @module */
import { base64url } from "jose";
import type { AuditEntry, InvitationRequest } from "../../../shared/operator_schemas.ts";
import type { Runtime } from "../../runtime/mod.ts";
import type { SignUpRecord, Wave } from "../../waitlist/mod.ts";
import { asksForWave, invitationUrl, waveParameters } from "../../waitlist/mod.ts";
import { changeEntry, type Kv, pages, readOne, waveKey, waveMembersSelector } from "../kv/mod.ts";
import type { OutboxOptions } from "../outbox/mod.ts";
import { findRecords } from "../people/mod.ts";
import { changeInvitation, type InvitationName } from "./codes.ts";
import { type InvitationOptions, inviteWave } from "./invite.ts";

export type { InvitationOutcome } from "./codes.ts";

/** Gives what the operator's operations do with waves. */
export function createWaveStore(options: Omit<InvitationOptions, "audit">) {
  const { kv, now, random, outbox } = options;
  return {
    beginWave: (request: InvitationRequest) =>
      beginWave(kv, request, { outbox, now: now(), random }),
    inviteWave: (request: InvitationRequest, wave: Wave, audit: AuditEntry) =>
      inviteWave({ ...options, audit }, request, wave),
    readWave: (id: string) => readWave(kv, id),
    changeInvitation: (
      name: InvitationName,
      decide: Parameters<typeof changeInvitation>[2],
      audit?: AuditEntry,
    ) => changeInvitation(kv, name, decide, { outbox, audit }),
  };
}

export type WaveConflict =
  /** The wave was begun with other parameters. */
  | { conflict: "other_parameters"; wave: Wave }
  /** The service sends no letters. */
  | { conflict: "no_letters" };

const SALT_BYTES = 16;

/**
 * Begins a wave, unless it is known or is only tried out; gives the wave, or says why not. Addresses are lower-cased.
 */
export async function beginWave(
  kv: Kv,
  request: InvitationRequest,
  { outbox, now, random }: Pick<Runtime, "random"> & { outbox: OutboxOptions; now: number },
): Promise<Wave | WaveConflict> {
  if (request.letters && !outbox.letters) return { conflict: "no_letters" };
  const key = waveKey(request.wave);
  const known = await readOne<Wave>(kv, key);
  // Records of a restored backup, or of an import, know the waves of another store.
  const invited = known.value ? 0 : await countMembers(kv, request.wave);
  const salt = base64url.encode(random(SALT_BYTES));
  const parameters = waveParameters(request, salt);
  const begun: Wave = { parameters, salt, invited, startedAt: new Date(now).toISOString() };
  return await changeEntry<Wave, Wave | WaveConflict>(kv, key, (wave) => {
    if (!wave) return { to: request.dryRun ? undefined : begun, result: begun };
    return { result: asksForWave(request, wave) ? wave : { conflict: "other_parameters", wave } };
  });
}

/** `undefined` for who is not invited, or by a wave of another store. */
export async function findInvitationUrl(
  kv: Kv,
  { wave, invitationCode }: SignUpRecord,
): Promise<string | undefined> {
  if (!wave || !invitationCode) return undefined;
  const { value } = await readOne<Wave>(kv, waveKey(wave));
  return value ? invitationUrl(value.parameters.link, invitationCode) : undefined;
}

/** In the order of their first sign-up. */
export async function* readWave(
  kv: Kv,
  id: string,
): AsyncGenerator<{ email: string; record: SignUpRecord }[]> {
  for await (const members of pages(kv, waveMembersSelector(id))) {
    const people = await findRecords(kv, members.map(({ key }) => String(key.at(-1))));
    // Somebody may have been erased, and have signed up again, since the list was read.
    yield people.filter(({ record }) => record.wave === id);
  }
}

async function countMembers(kv: Kv, id: string): Promise<number> {
  let count = 0;
  for await (const members of pages(kv, waveMembersSelector(id))) count += members.length;
  return count;
}
