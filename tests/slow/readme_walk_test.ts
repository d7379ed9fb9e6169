import { join } from "node:path";
import { makeTestFolder } from "../support/process.ts";
import { assertWalk } from "./readme_walk.ts";

Deno.test("The commands of the READMEs work as printed on the embedded KV file", async () => {
  await using folder = await makeTestFolder();
  await assertWalk({ KV_PATH: join(folder.path, "kv", "kv.sqlite3") }, folder.path);
});
