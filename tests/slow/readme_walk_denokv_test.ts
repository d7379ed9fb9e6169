import { DENOKV, Denokv, DENOKV_ACCESS_TOKEN } from "../support/denokv.ts";
import { makeTestFolder } from "../support/process.ts";
import { assertWalk } from "./readme_walk.ts";

// Beside the walk on a file, in a file of its own: each takes a minute, and files of tests run side by side.
Deno.test({
  name: "the commands of the READMEs work as printed on denokv",
  ignore: !DENOKV,
  async fn() {
    await using folder = await makeTestFolder();
    await using denokv = await Denokv.start();
    const variables = { KV_URL: denokv.url, DENO_KV_ACCESS_TOKEN: DENOKV_ACCESS_TOKEN };
    await assertWalk(variables, folder.path);
  },
});
