import assert from "node:assert/strict";
import { takeSocialPicture } from "./social_picture.ts";
import { test, useSuite } from "./support.ts";

const suite = useSuite();

test("takeSocialPicture() makes a different picture of 1200 × 630 pixels from the home page of each language", async (t) => {
  const pictures: Uint8Array[] = [];
  for (const home of ["/", "/de/"]) {
    await t.step(home, async () => {
      const png = await takeSocialPicture(suite.baseUrl + home);
      const view = new DataView(png.buffer, png.byteOffset);
      assert.deepEqual([view.getUint32(16), view.getUint32(20)], [1200, 630]);
      pictures.push(png);
    });
  }
  assert.notDeepEqual(pictures[0], pictures[1], "it has the words of the page");
  await assert.rejects(takeSocialPicture(`${suite.baseUrl}/pricing`), /\/pricing answered 404/);
});
