/** People and times for tests of the transitions of a sign-up. @module */
import type { LetterLimit } from "../../server/waitlist/letter_limit.ts";
import { joinList, type JoinOptions } from "../../server/waitlist/transitions.ts";
import type { SignUpRecord, State } from "../../server/waitlist/record.ts";

export const HOUR = 60 * 60 * 1000;
export const NOON = Date.parse("2026-11-21T12:00:00.000Z");
const SIGN_UP = { email: "ada@example.com" };

/** The moment some hours after noon, a date-time. */
export const after = (hours: number) => new Date(NOON + hours * HOUR).toISOString();

/** The letter limit of a mailbox that got no letters. */
export const NO_LETTER_LIMIT: LetterLimit = { letters: [] };

/** A record of noon in a state. */
export function record(state: State, more: Partial<SignUpRecord> = {}): SignUpRecord {
  const at = after(0);
  return { id: "1", createdAt: at, consentedAt: at, updatedAt: at, lang: "en", state, ...more };
}

/** A sign-up by `ada@example.com` with mail, some hours after noon. */
export function join(hours: number, existing?: SignUpRecord, more: Partial<JoinOptions> = {}) {
  return joinList(existing, SIGN_UP, {
    at: after(hours),
    id: "1",
    asksToConfirm: true,
    letterLimit: NO_LETTER_LIMIT,
    ...more,
  });
}

/**
 * The transitions of sign-ups as a plain list in memory, written from decisions, "The life of a sign-up", and not from
 * the code under test. @module
 */

/** A state of a person. */
type ModelState = "unconfirmed" | "waiting" | "invited" | "accepted";

const ORDER: ModelState[] = ["unconfirmed", "waiting", "invited", "accepted"];
const DAY = 24 * 60 * 60 * 1000;

interface Asked {
  count: number;
  last: number;
}

interface ModelPerson {
  state: ModelState;
  created: number;
  lang: string;
  source?: string | undefined;
  asked?: Asked | undefined;
  /** When the confirmed sign-up came in, and when it was confirmed. */
  proof?: [requested: number, confirmed: number];
  consented: number;
  hasCode?: boolean;
  expires?: number | undefined;
  /** The account for which the code was redeemed. */
  reference?: string;
  updated?: number;
  /** The addresses before, with the moments of their corrections. */
  former?: [address: string, at: number][];
  /** Whether no letter goes to the address. */
  marked?: boolean;
}

interface ModelItem {
  queue: "letters" | "invitations" | "events";
  what: string;
  at: number;
}

/** The list, the marks and the outbox. */
export class TransitionsModel {
  readonly people = new Map<string, ModelPerson>();
  /** When addresses were erased that have left a mark. */
  readonly marks = new Map<string, number>();
  /** When letters were put in for unconfirmed addresses. */
  readonly letters = new Map<string, number[]>();
  readonly outbox = new Map<string, ModelItem[]>();

  signUp(email: string, cameAt: number, answers: { lang?: string; source?: string }): void {
    const known = this.people.get(email);
    // Who was erased at the same moment joins a millisecond later, so that the events are in their order.
    const erasedAt = known ? undefined : this.marks.get(email);
    const at = erasedAt === cameAt ? cameAt + 1 : cameAt;
    const person: ModelPerson = known ?? {
      state: "unconfirmed",
      created: at,
      lang: "en",
      consented: at,
    };
    Object.assign(person, answers, { consented: Math.max(person.consented, at), updated: at });
    this.people.set(email, person);
    this.marks.delete(email);
    if (!known) this.#put(email, { queue: "events", what: "signup.joined", at });
    person.marked = false;
    if (person.state === "unconfirmed") this.#ask(email, person, at);
  }

  /** Marks an address as undeliverable, or lifts the mark. */
  mark(email: string, marked: boolean): void {
    const person = this.people.get(email);
    if (person) person.marked = marked;
  }

  #ask(email: string, person: ModelPerson, at: number): void {
    const letters = (this.letters.get(email) ?? []).filter((each) => at - each < 30 * DAY);
    if (letters.length === 3 || letters.some((each) => at - each < DAY)) return;
    this.letters.set(email, [...letters, at]);
    person.asked = { count: (person.asked?.count ?? 0) + 1, last: at };
    this.#put(email, { queue: "letters", what: "confirmation", at });
  }

  confirm(email: string, at: number): void {
    const person = this.people.get(email);
    if (person?.state !== "unconfirmed") return;
    Object.assign(person, {
      state: "waiting",
      asked: undefined,
      proof: [person.consented, at],
      updated: at,
    });
    this.#put(email, { queue: "events", what: "signup.confirmed", at });
  }

  /** Invites the first of those who wait; gives their addresses. */
  invite(next: number, at: number, expires?: number): string[] {
    const invited = this.inOrder("waiting").slice(0, next);
    for (const email of invited) {
      const invited = { state: "invited", hasCode: true, expires, updated: at };
      const person = Object.assign(this.people.get(email)!, invited);
      this.#put(email, { queue: "events", what: "signup.invited", at });
      if (!person.marked) this.#put(email, { queue: "invitations", what: "invitation", at });
    }
    return invited;
  }

  /** Redeems a person's code: once, until it expires, and again for the same account. */
  redeem(
    email: string,
    at: number,
    reference: string,
  ): "accepted" | "used" | "expired" | "unknown" {
    const person = this.people.get(email);
    if (!person?.hasCode) return "unknown";
    if (person.state === "accepted") return person.reference === reference ? "accepted" : "used";
    if (person.expires !== undefined && person.expires <= at) return "expired";
    Object.assign(person, { state: "accepted", reference, updated: at });
    this.#put(email, { queue: "events", what: "signup.accepted", at });
    return "accepted";
  }

  renew(email: string, at: number, expires: number): void {
    const person = this.people.get(email);
    if (person?.state !== "invited" || !person.hasCode || person.expires === expires) return;
    Object.assign(person, { expires, updated: at });
  }

  /** Removes a person; only who expires leaves no mark. */
  leave(email: string, from: number, reason: "person" | "operator" | "expired"): void {
    const person = this.people.get(email);
    if (!person) return;
    // The event does not come before the latest change.
    const at = Math.max(from, person.updated ?? 0);
    this.people.delete(email);
    if (reason !== "expired") this.marks.set(email, from);
    const others = this.outbox.get(email)?.filter(({ what }) => what.startsWith("signup.left"));
    this.outbox.set(email, others ?? []);
    this.#put(email, { queue: "events", what: `signup.left ${reason}`, at });
  }

  /** Moves a person to another address, unless it is taken or somebody else was erased from there. */
  correct(email: string, to: string, at: number): void {
    const person = this.people.get(email);
    if (!person || this.people.has(to)) return;
    const mark = this.marks.get(to);
    const isOwn = person.former?.some(([address, at]) => address === to && at === mark);
    if (mark !== undefined && !isOwn) return;
    this.people.delete(email);
    this.marks.set(email, at);
    this.marks.delete(to);
    const { proof: _, asked: _asked, former = [], ...kept } = person;
    const moved: ModelPerson = { ...kept, former: [...former, [email, at]], updated: at };
    moved.marked = false;
    this.people.set(to, moved);
    const items = this.outbox.get(email) ?? [];
    const isOwnEvent = ({ queue, what }: ModelItem) =>
      queue === "events" && !what.startsWith("signup.left");
    this.outbox.set(email, items.filter(({ what }) => what.startsWith("signup.left")));
    for (const item of items.filter(isOwnEvent)) this.#put(to, item);
    this.#put(to, { queue: "events", what: "signup.corrected", at });
    if (moved.state === "accepted") return;
    if (moved.state === "invited") moved.hasCode = true;
    if (moved.state === "invited") this.#put(to, { queue: "invitations", what: "invitation", at });
    else {
      moved.state = "unconfirmed";
      this.#ask(to, moved, at);
    }
  }

  import(
    email: string,
    at: number,
    { state = "waiting", ...answers }: { state?: ModelState; lang?: string; source?: string },
  ): void {
    const known = this.people.get(email);
    // Only a sign-up after the erasure brings a person back.
    if (!known && at <= (this.marks.get(email) ?? -Infinity)) return;
    this.marks.delete(email);
    const person = known ?? { state, created: at, lang: "en", consented: at };
    if (ORDER.indexOf(state) > ORDER.indexOf(person.state)) person.state = state;
    person.created = Math.min(person.created, at);
    person.consented = Math.max(person.consented, at);
    if (person.state !== "unconfirmed") person.asked = undefined;
    this.people.set(email, Object.assign(person, answers));
  }

  /** The people in a state in the order of their first sign-up, and where that is the same, by address. */
  inOrder(state: ModelState): string[] {
    const found = [...this.people].filter(([, person]) => person.state === state);
    return found
      .toSorted(([a, { created: x }], [b, { created: y }]) => x - y || (a < b ? -1 : 1))
      .map(([email]) => email);
  }

  #put(email: string, item: ModelItem): void {
    this.outbox.set(email, [...this.outbox.get(email) ?? [], item]);
  }
}
