import assert from "node:assert/strict";
import { roundPeople } from "../../../server/waitlist/round_people.ts";

Deno.test("roundPeople() rounds each number above 99 down to two significant digits", () => {
  const rounded = [1, 99, 100, 101, 119, 999, 1_000, 3_456, 99_999, 1_234_567].map(roundPeople);
  assert.deepEqual(
    rounded.map(({ count, isAbout }) => isAbout ? `about ${count}` : `${count}`),
    [
      "1",
      "99",
      "about 100",
      "about 100",
      "about 110",
      "about 990",
      "about 1000",
      "about 3400",
      "about 99000",
      "about 1200000",
    ],
  );
});
