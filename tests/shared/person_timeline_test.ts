import assert from "node:assert/strict";
import type { LoggedLetter } from "../../shared/operator_schemas.ts";
import type { TimelinePerson, TimelineTexts } from "../../shared/person_timeline.ts";
import { describeEvent, timelineOf } from "../../shared/person_timeline.ts";

const at = (day: number) => `2026-11-${String(day).padStart(2, "0")}T09:00:00.000Z`;

const TEXTS: TimelineTexts = {
  steps: {
    joined: "joined",
    joinedAgain: "joined again",
    joinedInFile: "joined, says a file",
    consentedInFile: "consented, says a file",
    imported: "imported",
    confirmed: "confirmed",
    confirmedFormer: "confirmed before",
    corrected: "corrected",
    invited: "invited",
    accepted: "accepted",
  },
  letters: { confirmation: "C", invitation: "I", link: "L" },
  outcomes: { put: "put", taken: "taken", refused: "refused" },
  toFormerAddress: "(former)",
  nameAction: (action) => action === "unnamed" ? undefined : action,
};

const told = (
  person: TimelinePerson,
  history: { at: string; action: string }[] = [],
  isBrief = false,
  letterLog?: LoggedLetter[],
) =>
  timelineOf(person, { history, letterLog, texts: TEXTS, isBrief }).map((event) => [
    Number(event.at.slice(8, 10)),
    describeEvent(event),
    event.by,
  ]);

Deno.test("timelineOf() lists sign-ups, letters with the mail server's answers, and state changes in the order of their times", () => {
  const proof = { requestedAt: at(1), consentText: "c", confirmedAt: at(4) };
  const letter = { putAt: at(2), takenAt: at(3), answer: "250 OK", messageId: "<1@w>" };
  const person = {
    createdAt: at(1),
    consentedAt: at(5),
    proof: { ...proof, ...letter },
    lastLetters: { link: { putAt: at(6), refusedAt: at(7), answer: "550 no" } },
    linkAt: at(8),
    invitedAt: at(9),
    acceptedAt: at(10),
  };
  assert.deepEqual(told(person), [
    [1, "joined", "person"],
    [2, "C – put", "service"],
    [3, "C – taken · 250 OK · <1@w>", "service"],
    [4, "confirmed", "person"],
    [5, "joined again", "person"],
    [6, "L – put", "service"],
    [7, "L – refused · 550 no", "service"],
    [8, "L – put", "service"],
    [9, "invited", "service"],
    [10, "accepted", "service"],
  ]);
  assert.deepEqual(told(person, [], true).filter(([, what]) => /–/.test(`${what}`)), [
    [3, "C – taken", "service"],
    [7, "L – refused", "service"],
    [8, "L – put", "service"],
  ]);
});

Deno.test("timelineOf() lists a state change only once when an audit entry reports the same change", () => {
  const proof = { requestedAt: at(1), consentText: "c", confirmedAt: at(2) };
  const person = {
    createdAt: at(1),
    consentedAt: at(1),
    confirmations: { count: 1, lastAt: at(4) },
    corrections: [{ at: at(4), address: "a".repeat(43), proof }],
    invitedAt: at(8),
    wave: "spring",
  };
  const history = [
    { at: at(7), action: "startWave", details: { wave: "summer" } },
    { at: at(6), action: "unnamed" },
    { at: at(5), action: "startWave", details: { wave: "spring" } },
    { at: at(4), action: "correctSignup" },
    { at: at(3), action: "markDeliverable" },
  ];
  assert.deepEqual(told(person, history), [
    [1, "joined", "person"],
    [2, "confirmed before", "person"],
    [3, "markDeliverable", "operator"],
    [4, "C – put", "service"],
    [4, "corrected", "operator"],
    [7, "startWave", "operator"],
    [8, "invited", "operator"],
  ]);
});

Deno.test("timelineOf() lists each letter of the log and each letter of the record once, and marks letters to an earlier address", () => {
  const formerProof = { requestedAt: at(1), consentText: "c", confirmedAt: at(2) };
  const taken = { putAt: at(8), takenAt: at(9) };
  const person = {
    createdAt: at(1),
    consentedAt: at(1),
    corrections: [{
      at: at(7),
      address: "a",
      proof: { ...formerProof, putAt: at(1), takenAt: at(2) },
    }],
    invitedAt: at(3),
    lastLetters: { invitation: taken },
  };
  const letterLog: LoggedLetter[] = [
    { letter: "invitation", state: "taken", ...taken },
    { letter: "invitation", state: "refused", putAt: at(5), refusedAt: at(6), answer: "550 b" },
    { letter: "invitation", state: "refused", putAt: at(3), refusedAt: at(4), answer: "550 a" },
  ];
  const letters = told(person, [], false, letterLog).filter(([, what]) => /–/.test(`${what}`));
  assert.deepEqual(letters.map(([day, what]) => [day, what]), [
    [1, "C – put (former)"],
    [2, "C – taken (former)"],
    [3, "I – put (former)"],
    [4, "I – refused (former) · 550 a"],
    [5, "I – put (former)"],
    [6, "I – refused (former) · 550 b"],
    [8, "I – put"],
    [9, "I – taken"],
  ]);
});

Deno.test("timelineOf() lists an import, and tells the sign-ups of a file from those of the person", async (t) => {
  const joined = [1, "joined", "person"];
  const joinedAgain = [3, "joined again", "person"];
  const joinedInFile = [1, "joined, says a file", "file"];
  const consentedInFile = [3, "consented, says a file", "file"];
  const [first, latest] = [at(1), at(3)];
  const cases: {
    what: string;
    consentedAt?: string;
    imported?: Omit<NonNullable<TimelinePerson["imported"]>, "at">;
    expected: unknown[];
  }[] = [
    {
      what: "a file made the sign-up, with one moment",
      consentedAt: first,
      imported: { createdAt: first, consentedAt: first },
      expected: [joinedInFile],
    },
    {
      what: "a file made the sign-up, with two moments",
      imported: { createdAt: first, consentedAt: latest },
      expected: [joinedInFile, consentedInFile],
    },
    {
      what: "the person signed up again after the import",
      imported: { createdAt: first, consentedAt: first },
      expected: [joinedInFile, joinedAgain],
    },
    {
      what: "a file gave a later consent of a person who had signed up",
      imported: { consentedAt: latest },
      expected: [joined, consentedInFile],
    },
    {
      what: "a file gave other data of a person who had signed up",
      imported: {},
      expected: [joined, joinedAgain],
    },
  ];
  for (const { what, consentedAt = latest, imported, expected } of cases) {
    await t.step(what, () => {
      const person = { createdAt: first, consentedAt, imported: { at: at(9), ...imported } };
      assert.deepEqual(told(person), [...expected, [9, "imported", "service"]]);
    });
  }
});
