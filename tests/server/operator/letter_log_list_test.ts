/** The lists of the log of letters, which an operator reads page by page. */
import assert from "node:assert/strict";
import { Commit, type Kv } from "../../../server/store/kv/engine.ts";
import { readFirstItems } from "../../../server/store/outbox/reads.ts";
import {
  momentAndIdOf,
  setLoggedLetter,
  type StoredLetter,
} from "../../../server/store/people/letter_log.ts";
import { createOutboxStore } from "../../../server/store/people/outbox_commits.ts";
import type { ListedLetter } from "../../../shared/operator_schemas.ts";
import { signIn } from "../../support/console.ts";
import { LINK, nth, storeWaiting, wavesOf } from "../../support/invitations.ts";
import { at, logOf, REFUSED, startWithLetters, TAKEN } from "../../support/letter_log.ts";
import { ADA, DAY } from "../../support/mail_hooks.ts";
import { listAll } from "../../support/memory_kv.ts";
import { assertRefused, call, startOperatedService } from "../../support/operator.ts";
import { START, WITH_MAIL } from "../../support/service.ts";

Deno.test("listLetters returns taken and refused letters page by page, the newest first", async () => {
  const emails = [ADA, "bo@example.com", "cy@example.com"];
  await using service = await startWithLetters(emails, (email) => email === ADA ? REFUSED : TAKEN);
  const { letters, next } = await logOf(service, { limit: 2 });
  const [{ id: _, ...newest } = {} as ListedLetter, second] = letters;
  assert.deepEqual(newest, {
    letter: "confirmation",
    state: "taken",
    putAt: at(START + 2_000),
    takenAt: at(START + 3_000),
    answer: TAKEN.answer,
    messageId: TAKEN.messageId,
    email: "cy@example.com",
  });
  assert.equal(second?.email, "bo@example.com");
  const rest = await logOf(service, { limit: 2, before: next });
  assert.deepEqual(
    rest.letters.map(({ email, state, answer }) => [email, state, answer]),
    [[ADA, "refused", REFUSED.reason]],
  );
  assert.equal(rest.next, undefined);
  await assertRefused(service, "/letters/list", [
    [{ before: "yesterday" }, /^Field 'before' is 'yesterday'; give the 'next'/],
  ]);
  const entries = JSON.stringify(await listAll(service.kv, { prefix: ["letter_log"] }));
  assert.doesNotMatch(entries, /example\.com/, "the log holds no address");
});

Deno.test("listLetters returns only the letters of a kind or in a state, and goes on behind letters that do not fit", async () => {
  const emails = ["ada@example.com", "bo@example.com", "cy@example.com", "di@example.com"];
  await using service = await startWithLetters(
    emails,
    (email) => email === "bo@example.com" || email === "di@example.com" ? REFUSED : TAKEN,
  );
  const found = async (body: object) => {
    const { letters, next } = await logOf(service, body);
    return [letters.map(({ email }) => email?.slice(0, 2)), next] as const;
  };
  assert.deepEqual(await found({ state: "refused" }), [["di", "bo"], undefined]);
  assert.deepEqual(await found({ state: "taken", letter: "confirmation" }), [
    ["cy", "ad"],
    undefined,
  ]);
  assert.deepEqual(await found({ letter: "invitation" }), [[], undefined]);
  const [first, next] = await found({ state: "refused", limit: 1 });
  assert.deepEqual(first, ["di"]);
  // The letter to Cy was read, but does not fit.
  assert.match(next!, new RegExp(`^${at(START + 2_000)} `));
  const second = await found({ state: "refused", limit: 1, before: next });
  assert.deepEqual(second, [["bo"], undefined]);
  await assertRefused(service, "/letters/list", [
    [{ letter: "test" }, /^Field 'letter' is 'test'; give 'confirmation', 'invitation' or 'link'/],
    [
      { state: "waiting" },
      /^Field 'state' is 'waiting'; give 'taken', 'refused', 'retried', 'bounced', 'com/,
    ],
  ]);
});

/** Stores an entry of the log that was put into the outbox at a moment. */
async function storeLetter(
  kv: Kv,
  { recordId = "r", ms, ...letter }: Partial<StoredLetter> & { recordId?: string; ms: number },
): Promise<void> {
  const putAt = at(ms);
  const commit = new Commit();
  setLoggedLetter(commit, {
    recordId,
    momentAndId: momentAndIdOf(putAt, `i${ms}`),
    letter: { letter: "link", putAt, takenAt: putAt, ...letter },
  });
  await kv.commit(commit);
}

Deno.test("listLetters returns only the letters that were put into the outbox from 'since' on and before 'before'", async () => {
  await using service = await startOperatedService();
  const midnight = Date.parse("2026-11-20");
  const moments = [midnight - 1, midnight, midnight + DAY - 1, midnight + DAY];
  for (const ms of moments) await storeLetter(service.kv, { ms });
  const found = async (body: object) => {
    const { letters, next } = await logOf(service, body);
    return [letters.map(({ putAt }) => Date.parse(putAt)), next] as const;
  };
  const ofDay = { since: "2026-11-20", before: "2026-11-21" };
  assert.deepEqual(await found(ofDay), [[moments[2], moments[1]], undefined]);
  assert.deepEqual(await found({ since: "2026-11-21T01:00:00+01:00" }), [[moments[3]], undefined]);
  const [first, next] = await found({ ...ofDay, limit: 1 });
  assert.deepEqual(first, [moments[2]]);
  assert.deepEqual(await found({ ...ofDay, limit: 1, before: next }), [[moments[1]], undefined]);
  await assertRefused(service, "/letters/list", [
    [{ since: "yesterday" }, /^Field 'since' is 'yesterday'; give a UTC date/],
  ]);
});

Deno.test("listLetters returns the bounced and complained letters together for the state 'reported'", async () => {
  await using service = await startOperatedService();
  const kinds = ["bounced", undefined, "complained"] as const;
  for (const [index, kind] of kinds.entries()) {
    const ms = START + index;
    await storeLetter(service.kv, { ms, ...kind && { report: { kind, at: at(ms) } } });
  }
  const { letters } = await logOf(service, { state: "reported" });
  assert.deepEqual(letters.map(({ state }) => state), ["complained", "bounced"]);
});

Deno.test("listLetters returns only the invitations of a wave, and reads fewer letters when it must read their people", async () => {
  await using service = await startOperatedService(WITH_MAIL);
  const { kv } = service;
  await storeWaiting(kv, 3);
  await call(service, "/waves", { wave: "first", next: 2, link: LINK });
  await call(service, "/waves", { wave: "second", next: 1, link: LINK });
  for (const item of await readFirstItems(kv, "invitations", { limit: 3 })) {
    await createOutboxStore(kv).complete(item, START);
  }
  const { letters: [newest] } = await logOf(service);
  await storeLetter(kv, { ms: START + 1, recordId: newest!.id });
  const found = async (body: object) => {
    const { letters, next } = await logOf(service, body);
    return [letters.map(({ email, letter }) => `${letter} ${email}`).toSorted(), next] as const;
  };
  const ofFirst = [`invitation ${nth(0)}`, `invitation ${nth(1)}`];
  assert.deepEqual(await found({ wave: "first" }), [ofFirst, undefined]);
  assert.deepEqual(await found({ wave: "second" }), [[`invitation ${nth(2)}`], undefined]);
  assert.deepEqual(await found({ wave: "third" }), [[], undefined]);
  assert.deepEqual(await found({ wave: "first", letter: "link" }), [[], undefined]);
  await assertRefused(service, "/letters/list", [
    [{ wave: "a b" }, /^Field 'wave' is 'a b'; give the id of a wave/],
  ]);

  // Letters to people who are gone, newer than the others: 751 letters that each count as two.
  for (let n = 1; n <= 751; n++) {
    await storeLetter(kv, { ms: START + DAY + n, letter: "invitation" });
  }
  const oldestRead = START + DAY + 2;
  const next = `${at(oldestRead)} i${oldestRead}`;
  assert.deepEqual(await found({ wave: "first" }), [[], next]);
  assert.deepEqual(await found({ wave: "first", before: next }), [ofFirst, undefined]);
});

Deno.test("listLetters returns as many refused invitations of a wave as the wave counts when refused letters are sent again", async () => {
  await using service = await startOperatedService(WITH_MAIL);
  const { kv, clock } = service;
  await storeWaiting(kv, 3);
  await call(service, "/waves", { wave: "first", next: 3, link: LINK });
  const outbox = createOutboxStore(kv);
  const refuseWaiting = async (limit: number) => {
    for (const { item, ...entry } of await readFirstItems(kv, "invitations", { limit })) {
      const refusedItem = {
        ...item,
        queue: "refused",
        dueAt: clock.now,
        reason: "550 no",
      } as const;
      await outbox.postpone({ item, ...entry }, refusedItem);
    }
  };
  const numbers = async () => {
    const { refused } = await call(service, "/waves/first");
    const of = async (state: string) => (await logOf(service, { wave: "first", state })).letters;
    return [refused, (await of("refused")).length, (await of("rejected")).length];
  };
  await refuseWaiting(3);
  assert.deepEqual(await numbers(), [3, 3, 3]);
  clock.now += 1_000;
  await call(service, "/waves/first/resume", undefined, "POST");
  await wavesOf(kv).run();
  assert.deepEqual(await numbers(), [0, 0, 3]);
  await refuseWaiting(2);
  assert.deepEqual(await numbers(), [2, 2, 5]);
});

Deno.test("listLetters reads at most 1,500 letters in a call, and goes on with the next call", async () => {
  await using service = await startOperatedService();
  const positions = Array.from({ length: 1_501 }, (_, n) => {
    return { recordId: "r", momentAndId: momentAndIdOf(at(START - n), `i${n}`), n };
  });
  for (let from = 0; from < positions.length; from += 100) {
    const commit = new Commit();
    for (const { n, ...position } of positions.slice(from, from + 100)) {
      const putAt = at(START - n);
      const outcome = n === 1_500 ? { refusedAt: putAt } : { takenAt: putAt };
      setLoggedLetter(commit, { ...position, letter: { letter: "link", putAt, ...outcome } });
    }
    await service.kv.commit(commit);
  }
  const first = await logOf(service, { state: "refused" });
  assert.deepEqual(first, { letters: [], next: `${at(START - 1_499)} i1499` });
  const second = await logOf(service, { state: "refused", before: first.next });
  assert.deepEqual(second.letters.map(({ state }) => state), ["refused"]);
  assert.equal(second.next, undefined);
  const browser = await signIn(service);
  const { html } = await browser.open("/operator/outbox/?list=log&state=refused");
  assert.match(
    html,
    /role="status">Tries found so far: 0\. Searched the e‑mails back to 21 Nov 2026\.</,
  );
  assert.match(html, /<option value="refused" selected>rejected for good</);
  assert.doesNotMatch(html, /fits these choices/);
  const [, goOn] = html.match(/<a class="button" href="([^"]+)">Search on<\/a>/) ??
    assert.fail(html);
  const { html: rest } = await browser.open(goOn!.replaceAll("&amp;", "&"));
  assert.match(rest, /<td[^>]*>rejected for good, /);
  assert.match(rest, /role="status">Tries found: 1</);
  assert.doesNotMatch(rest, /Search on|Searched the/);
  const [, first_] = rest.match(/<a class="button" href="([^"]+)">First page<\/a>/) ?? [];
  assert.equal(first_, "/operator/outbox/?list=log&amp;state=refused");
});
