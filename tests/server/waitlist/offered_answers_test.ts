import assert from "node:assert/strict";
import { createAnswerFinder } from "../../../server/waitlist/offered_answers.ts";

const find = createAnswerFinder({
  role: {
    "software-engineer": { en: "Engineer", de: "Entwicklung" },
    founder: { en: "Founder", de: "Gründung" },
    lead: { en: "Team lead", de: "Leitung" },
    head: { en: "Head of a team", de: "Leitung" },
    "c": { en: "C", de: "C" },
  },
});

const CASES: [text: string, slug: string | undefined][] = [
  ["software-engineer", "software-engineer"],
  ["Software Engineer", "software-engineer"],
  [" SOFTWARE_ENGINEER ", "software-engineer"],
  ["engineer", "software-engineer"],
  ["Gru\u0308ndung", "founder"],
  ["team-lead", "lead"],
  ["Leitung", undefined],
  ["C++", undefined],
  ["Software Engineers", undefined],
  ["constructor", undefined],
  ["", undefined],
];

Deno.test("createAnswerFinder() finds an answer by its slug or one of its names, regardless of case, spaces and hyphens", async (t) => {
  for (const [text, slug] of CASES) {
    await t.step(
      `${JSON.stringify(text)} gives ${slug}`,
      () => assert.equal(find("role", text), slug),
    );
  }
  assert.equal(find("building", "engineer"), undefined);
  assert.equal(createAnswerFinder()("role", "engineer"), undefined);
});
