import assert from "node:assert/strict";
import { assertRefused, printed } from "../../support/cli.ts";
import { usePeople } from "../../support/people_service.ts";

Deno.test("'signups note' sets the note about a person, and removes this note when --text is empty", async () => {
  await using test = await usePeople();
  const change = ["note", "ada@example.com", "--text"];
  const { stdout } = await test.run([...change, "Met at the fair.", "--json"]);
  assert.equal(JSON.parse(stdout).note, "Met at the fair.");
  const shown = await test.run(["show", "ada@example.com"]);
  assert.match(shown.stdout, /^ *note +Met at the fair\.$/m);
  assert.equal(await printed(test.run([...change, ""])), "ada@example.com has no note.\n");
  await assertRefused(test.run, [
    [["note", "ada@example.com"], /The note is missing; give --text/],
    [[...change, "a".repeat(501)], /give a text of at most 500 characters/],
  ]);
});
