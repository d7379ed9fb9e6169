/**
 * The keys of the lists of people, and of waves; `keys.ts` has the table of all keys.
 *
 * @module
 */
import type { State } from "../../waitlist/mod.ts";

/** The entry of a person in the list of the people in a state, in the order of their first sign-up. */
export function personKey(state: State, createdAt: string, email: string): Deno.KvKey {
  return ["person", state, createdAt, email];
}

/** Selects the people in a state. */
export function peopleSelector(state: State) {
  return { prefix: ["person", state] } satisfies Deno.KvListSelector;
}

/** Selects the people in a state whose first sign-up came before a moment, a date-time. */
export function oldPeopleSelector(state: State, before: string) {
  return { start: ["person", state], end: ["person", state, before] };
}

/** The entry of an unconfirmed person in the order in which the mail server took their letters. */
export function expiryKey(takenAt: string, email: string): Deno.KvKey {
  return ["expiry", takenAt, email];
}

/** Selects the unconfirmed people whose letters the mail server took before a moment, a date-time. */
export function expirySelector(before: string) {
  return { start: ["expiry"], end: ["expiry", before] };
}

/** Selects the lists that go with the records; the last part of each key is an address. */
export const LISTS: Deno.KvKey[] = [["person"], ["expiry"], ["wave_member"]];

/** A wave of invitations. */
export function waveKey(id: string): Deno.KvKey {
  return ["wave", id];
}

/** The entry of an invited person in the wave, in the order of the first sign-ups. */
export function waveMemberKey(id: string, createdAt: string, email: string): Deno.KvKey {
  return ["wave_member", id, createdAt, email];
}

/** Selects the people in a wave. */
export function waveMembersSelector(id: string) {
  return { prefix: ["wave_member", id] } satisfies Deno.KvListSelector;
}

/** The brake of a mailbox, by the keyed hash of it. */
export function brakeKey(hash: string): Deno.KvKey {
  return ["brake", hash];
}

/** Selects all brakes. */
export const BRAKES = { prefix: ["brake"] } satisfies Deno.KvListSelector;
