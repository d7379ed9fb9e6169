import assert from "node:assert/strict";
import { join, resolve } from "node:path";
import { SERVICE_VARIABLES } from "../../../server/config/variables.ts";
import { fromProject, kvFolder } from "../../../server/config/paths.ts";

const PROJECT = resolve(import.meta.dirname ?? "", "../../..");
const DEFAULT_PATH = SERVICE_VARIABLES.KV_PATH.default;

Deno.test("fromProject() resolves a relative path from the project's folder, whatever the working directory is", async () => {
  const folder = await Deno.makeTempDir();
  const before = Deno.cwd();
  try {
    Deno.chdir(folder);
    assert.equal(fromProject(DEFAULT_PATH), join(PROJECT, "data/waitlist.sqlite3"));
    assert.equal(fromProject("kv.sqlite3"), join(PROJECT, "kv.sqlite3"));
    assert.equal(fromProject("/var/lib/kv.sqlite3"), "/var/lib/kv.sqlite3");
  } finally {
    Deno.chdir(before);
    await Deno.remove(folder);
  }
});

Deno.test("kvFolder() returns the folder of KV_PATH, resolved from the project's folder when the path is relative", async (t) => {
  const cases: [path: string, folder: string][] = [
    [DEFAULT_PATH, join(PROJECT, "data")],
    ["kv.sqlite3", PROJECT],
    ["/kv.sqlite3", "/"],
    ["/var/lib/../kv.sqlite3", "/var"],
    ["/a,b/c d/kv.sqlite3", "/a,b/c d"],
  ];
  for (const [path, folder] of cases) {
    await t.step(`the folder of ${path} is ${folder}`, () => {
      assert.equal(kvFolder(path), folder);
    });
  }
});
