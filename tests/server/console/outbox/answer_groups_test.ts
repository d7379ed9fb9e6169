import assert from "node:assert/strict";
import {
  codeOfAnswer,
  groupAnswers,
  NO_CODE,
} from "../../../../server/console/outbox/answer_groups.ts";

Deno.test("codeOfAnswer() gives the extended code, or the code at the beginning, or says that there is none", () => {
  const cases = {
    "550 5.1.1 no such mailbox": "5.1.1",
    "550-5.7.26 unauthenticated": "5.7.26",
    "554 refused": "554",
    "HTTP 422: bad domain 10.4.5.1": "HTTP 422",
    "timeout after 60000 ms": NO_CODE,
  };
  for (const [answer, code] of Object.entries(cases)) assert.equal(codeOfAnswer(answer), code);
  assert.equal(codeOfAnswer(undefined), NO_CODE);
});

Deno.test("groupAnswers() counts the answers of each code, the largest group first, with the first answer as its example", () => {
  assert.deepEqual(groupAnswers(["550 5.7.1 no", "550 5.1.1 a", "550 5.1.1 b", undefined]), [
    { code: "5.1.1", example: "550 5.1.1 a", count: 2 },
    { code: "5.7.1", example: "550 5.7.1 no", count: 1 },
    { code: NO_CODE, example: "", count: 1 },
  ]);
});
