import { startPostgres, test } from "../support/postgres.ts";
import { makeTestFolder } from "../support/process.ts";
import { assertWalk } from "./readme_walk.ts";

// Beside the walk on a file, in a file of its own: each takes a minute, and files of tests run side by side.
test("The commands of the READMEs work as printed on PostgreSQL", async () => {
  await using folder = await makeTestFolder();
  await using postgres = await startPostgres();
  await assertWalk(postgres.variables, folder.path);
});
