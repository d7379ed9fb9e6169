import assert from "node:assert/strict";
import { base64url } from "jose";
import { createRandomIds } from "../../../server/runtime/random_ids.ts";

Deno.test("createRandomIds() uses every random bit once when many ids are made", () => {
  for (const length of [6, 22]) {
    const drawn: number[] = [];
    let draws = 0;
    const nextId = createRandomIds({
      length,
      random(bytes) {
        draws++;
        const draw = crypto.getRandomValues(new Uint8Array(bytes));
        drawn.push(...draw);
        return draw;
      },
    });
    const ids = Array.from({ length: 3 * 1_024 }, nextId);
    assert.equal(draws, 3, "of 1,024 ids each");
    for (const id of ids) assert.match(id, new RegExp(`^[A-Za-z0-9_-]{${length}}$`));
    assert.deepEqual([...base64url.decode(ids.join(""))], drawn);
  }
});
