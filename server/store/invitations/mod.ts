/** Waves of invitations: their entries, and the people whom they invite. @module */
import type { AuditEntry, InvitationRequest } from "../../../shared/operator_schemas.ts";
import type { Wave } from "../../waitlist/mod.ts";
import { type InvitationOptions, inviteWave } from "./invite.ts";
import { beginWave, readWave } from "./waves.ts";
export { findInvitationUrl, type WaveConflict } from "./waves.ts";

/** Gives what the operator's operations do with waves. */
export function createWaveStore(options: Omit<InvitationOptions, "audit">) {
  const { kv, now, random, outbox } = options;
  return {
    beginWave: (request: InvitationRequest) =>
      beginWave(kv, request, { outbox, now: now(), random }),
    inviteWave: (request: InvitationRequest, wave: Wave, audit: AuditEntry) =>
      inviteWave({ ...options, audit }, request, wave),
    readWave: (id: string) => readWave(kv, id),
  };
}
