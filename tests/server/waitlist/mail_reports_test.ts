import assert from "node:assert/strict";
import { isLetterLimitObsolete, joinLetterLimits } from "../../../server/waitlist/letter_limit.ts";
import { decideOnReport, liftReports } from "../../../server/waitlist/mail_reports.ts";
import { joinList } from "../../../server/waitlist/transitions.ts";

const [early, at, late] = [1, 2, 3].map((day) => `2026-05-0${day}T00:00:00.000Z`) as [
  ...[string, string, string],
];
const complaint = { kind: "complained", permanent: true, at } as const;
const NO_LETTER_LIMIT = { letters: [] };
const options = { id: "i".repeat(22), asksToConfirm: true, letterLimit: NO_LETTER_LIMIT };
const { record } = joinList(undefined, { email: "ada@example.com" }, { ...options, at: early });

Deno.test("decideOnReport() accepts a complaint only about a mailbox that got letters", () => {
  assert.equal(
    decideOnReport(complaint, { record: undefined, letterLimit: NO_LETTER_LIMIT }),
    undefined,
  );
  const kept = { letters: [early] };
  assert.deepEqual(
    decideOnReport(complaint, { record: undefined, letterLimit: kept })?.letterLimit?.complainedAt,
    at,
  );
  assert.equal(
    decideOnReport(complaint, { record, letterLimit: NO_LETTER_LIMIT })?.record?.complainedAt,
    at,
  );
});

Deno.test("decideOnReport() ignores a report that is older than liftedAt, and liftReports() does nothing when there is no report", () => {
  const lifted = { letters: [], liftedAt: at };
  assert.equal(decideOnReport(complaint, { record, letterLimit: lifted }), undefined);
  assert.equal(
    decideOnReport({ ...complaint, kind: "bounced" }, { record, letterLimit: lifted }),
    undefined,
  );
  assert.ok(decideOnReport({ ...complaint, at: late }, { record, letterLimit: lifted }));
  assert.equal(liftReports({ record, letterLimit: NO_LETTER_LIMIT }, at), undefined);
});

Deno.test("joinLetterLimits() removes a complaint that is older than liftedAt, and isLetterLimitObsolete() is never true while a complaint remains", () => {
  const complained = { letters: [], complainedAt: at };
  const far = "2036-05-01T00:00:00.000Z";
  assert.equal(isLetterLimitObsolete(complained, far), false);
  const lifted = joinLetterLimits([complained, { letters: [], liftedAt: late }]);
  assert.deepEqual(lifted, { letters: [], liftedAt: late });
  assert.equal(isLetterLimitObsolete(lifted, far), true);
  assert.deepEqual(joinLetterLimits([complained, { letters: [], liftedAt: early }]), {
    ...complained,
    liftedAt: early,
  });
});

Deno.test("joinList() asks for no letter and keeps the complaint when a person who complained signs up again", () => {
  const letterLimit = { letters: [], complainedAt: at };
  const again = joinList(record, { email: "ada@example.com" }, {
    ...options,
    at: late,
    letterLimit,
  });
  assert.deepEqual([again.letter, again.record.complainedAt], [undefined, at]);
});
