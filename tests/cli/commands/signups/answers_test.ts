import assert from "node:assert/strict";
import { assertRefused, printed } from "../../support/cli.ts";
import { usePeople } from "../../support/people_service.ts";

Deno.test("'signups answers' sets a person's role and use case; an empty flag removes the role or the use case", async () => {
  await using test = await usePeople();
  const change = ["answers", "ada@example.com", "--role"];
  assert.equal(
    await printed(test.run([...change, "founder", "--building", "agents"])),
    "ada@example.com: the role is founder, the use case is agents.\n",
  );
  const { stdout } = await test.run([...change, "", "--json"]);
  const { role, building } = JSON.parse(stdout);
  assert.deepEqual([role, building], [undefined, "agents"]);
  await assertRefused(test.run, [
    [["answers", "ada@example.com"], /There is nothing to change; give --role, --building or both/],
    [[...change, "Two Words"], /'role' is 'Two Words'; give a slug/],
  ]);
});
