import assert from "node:assert/strict";
import { assertRefused } from "../../support/cli.ts";
import { usePeople } from "../../support/people_service.ts";

Deno.test("'signups erase' with --state and --before shows the number of people and asks before it erases them", async () => {
  await using test = await usePeople();
  const args = ["erase", "--state", "unconfirmed", "--before", "2024-05-03"];
  const questions: string[] = [];
  const asked = (answer: boolean) => (question: string) => {
    questions.push(question);
    return answer;
  };
  assert.equal((await test.run(args)).code, 2);
  assert.equal((await test.run(args, asked(false))).code, 2);
  assert.equal((await test.run(args, asked(true))).stdout, "Erased 1 person.\n");
  assert.deepEqual(
    questions,
    [0, 1].map(() =>
      "Erase 1 person who is unconfirmed and signed up before 2024-05-03T00:00:00.000Z at " +
      `${test.url}? This cannot be undone.`
    ),
  );
  assert.equal((await test.run(args, asked(true))).stdout, "Erased 0 people.\n");
  assert.equal(questions.length, 2, "there is nothing to ask about");
  await assertRefused((args) => test.run(["erase", ...args, "--yes"]), [
    [[], /give an address, or both --state and --before\.\n$/],
    [["--state", "unconfirmed"], /give an address, or both/],
    [
      ["ada@example.com", "--state", "waiting"],
      /selects one person, .+; give either an address or these two flags\.\n$/,
    ],
    [
      ["--state", "gone", "--before", "2024-01-01"],
      /give unconfirmed, waiting, invited or accepted/,
    ],
  ]);
  assert.deepEqual(
    Object.keys(await test.records()),
    ["ada", "bo", "cy"].map((name) => `${name}@example.com`),
  );
});
