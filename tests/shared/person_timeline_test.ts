import assert from "node:assert/strict";
import type { TimelinePerson, TimelineTexts } from "../../shared/person_timeline.ts";
import { describeEvent, timelineOf } from "../../shared/person_timeline.ts";

const at = (day: number) => `2026-11-${String(day).padStart(2, "0")}T09:00:00.000Z`;

const TEXTS: TimelineTexts = {
  steps: {
    joined: "joined",
    joinedAgain: "joined again",
    confirmed: "confirmed",
    confirmedFormer: "confirmed before",
    corrected: "corrected",
    invited: "invited",
    accepted: "accepted",
  },
  letters: { confirmation: "C", invitation: "I", link: "L" },
  outcomes: { put: "put", taken: "taken", refused: "refused" },
  nameAction: (action) => action === "unnamed" ? undefined : action,
};

const told = (
  person: TimelinePerson,
  history: { at: string; action: string }[] = [],
  isBrief = false,
) =>
  timelineOf(person, { history, texts: TEXTS, isBrief }).map((event) => [
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
