import assert from "node:assert/strict";
import { usePeople } from "../../support/people_service.ts";

Deno.test("'signups correct' asks the operator before it changes an address, and changes nothing when it runs again", async () => {
  await using test = await usePeople();
  const [old, to] = ["ada@example.com", "ada@example.org"];
  const questions: string[] = [];
  const refused = await test.run(["correct", old, to], (question) => {
    questions.push(question);
    return false;
  });
  assert.equal(refused.code, 2);
  assert.match(questions.join(), /^Correct ada@example\.com to ada@example\.org at http/);
  const done = await test.run(["correct", old, to, "--yes"]);
  assert.equal(done.stdout, `Corrected: ${old} is now ${to}, and waiting.\n`);
  const again = await test.run(["correct", old, to, "--yes"]);
  assert.match(again.stdout, /^Nothing to do: ada@example\.com was corrected to .+ before, at 20/);
  const { stdout } = await test.run(["show", to]);
  assert.match(stdout, /\n {2}corrections\.at +20\S+Z\n {2}corrections\.address +\S+\n/);
  assert.doesNotMatch(stdout, /\[object/);
  const taken = await test.run(["correct", "adam@example.com", to, "--yes"]);
  assert.equal(taken.code, 2);
  assert.match(taken.stderr, /The new address is on the waitlist already/);
  assert.equal((await test.run(["correct", "x@example.com", "y@example.com", "--yes"])).code, 6);
  assert.equal((await test.records())[to]?.state, "waiting");
});

Deno.test("'signups correct' refuses a malformed address without asking the operator", async (t) => {
  await using test = await usePeople();
  for (
    const [old, to, which] of [
      ["ada", "ada@example.org", "present"],
      ["ada@example.com", "ada@example", "new"],
    ] as const
  ) {
    await t.step(`${old} to ${to}`, async () => {
      const { code, stderr } = await test.run(["correct", old, to], () => {
        throw new Error("it asked");
      });
      assert.equal(code, 2);
      assert.match(
        stderr,
        new RegExp(`waitlist:\\S* The ${which} address is '[^']+', which is no`),
      );
    });
  }
});
