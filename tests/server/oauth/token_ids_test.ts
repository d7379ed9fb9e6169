import assert from "node:assert/strict";
import { base64url } from "jose";
import { createTokenIds } from "../../../server/oauth/token_ids.ts";

Deno.test("createTokenIds() uses every random byte once, 16 for an id, when many ids are made", () => {
  let drawn = 0;
  const draws: Uint8Array[] = [];
  const nextTokenId = createTokenIds((length) => {
    for (const draw of draws) draw.fill(0);
    const begin = drawn;
    drawn += length;
    const draw = Uint8Array.from({ length }, (_, at) => (begin + at) * 7 % 251);
    draws.push(draw);
    return draw;
  });
  const ids = Array.from({ length: 600 }, () => nextTokenId());
  const bytes = ids.flatMap((id) => [...base64url.decode(id)]);
  assert.deepEqual(bytes, Array.from({ length: 600 * 16 }, (_, at) => at * 7 % 251));
  assert.match(ids[0] ?? "", /^[\w-]{22}$/);
  assert.equal(draws.length, 3, "600 ids of 256 to a draw");
});
