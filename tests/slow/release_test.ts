/** The task `release`, in a copy of the project whose own checks are left out. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { outputOf, run } from "../support/process.ts";
import { copyProject } from "../support/project_files.ts";

const ENV = Object.fromEntries(
  ["AUTHOR", "COMMITTER"].flatMap((who) => [
    [`GIT_${who}_NAME`, "Ada"],
    [`GIT_${who}_EMAIL`, "ada@example.com"],
  ]),
);

Deno.test("The task 'release' dates the changelog, packs and tags the version, and refuses to release this version again", async () => {
  await using project = await copyProject();
  const options = { cwd: project.path, env: ENV };
  const git = (...args: string[]) => outputOf(["git", ...args], options);
  const release = () => run([Deno.execPath(), "task", "--quiet", "release"], options);
  const readText = (name: string) => Deno.readTextFile(join(project.path, name));
  const config = JSON.parse(await readText("deno.json"));
  config.version = "7.1.0-dev";
  config.tasks.ok = "echo checked";
  await Deno.writeTextFile(join(project.path, "deno.json"), JSON.stringify(config, null, 2));
  // Right after a release there is nothing that is unreleased.
  const unreleased = "## Unreleased\n\n### When you upgrade\n\n- Nothing is to do.\n";
  const before = (await readText("CHANGELOG.md")).replace("## Unreleased\n", unreleased);
  await Deno.writeTextFile(join(project.path, "CHANGELOG.md"), before);
  await git("init", "--quiet");
  await git("add", ".");

  const unclean = await release();
  assert.equal(unclean.code, 1);
  assert.match(unclean.stderr, /^There are changes that are not committed; commit them, or/);
  await git("commit", "--quiet", "--message", "Begin");

  const { code, stdout, stderr } = await release();
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^checked$/m);
  assert.match(stdout, /Now push the commit and the tag v7\.1\.0, and write the next version/);
  assert.equal(await git("status", "--porcelain"), "");
  assert.equal(await git("describe"), "v7.1.0\n");
  const today = new Date().toISOString().slice(0, 10);
  const changelog = await readText("CHANGELOG.md");
  assert.ok(
    changelog.startsWith(`# Changelog\n\n## Unreleased\n\n## 7.1.0 – ${today}\n\n### When`),
  );

  const packed = join(project.path, "release");
  const sources = await outputOf(["tar", "-tzf", join(packed, "waitlist-7.1.0.tar.gz")]);
  assert.match(sources, /^waitlist-7\.1\.0\/server\/main\.ts$/m);
  const manifest = ["-xzOf", join(packed, "example-waitlist-client-7.1.0.tgz")];
  const { version } = JSON.parse(await outputOf(["tar", ...manifest, "package/package.json"]));
  assert.equal(version, "7.1.0");
  const cli = ["-xzOf", join(packed, "example-waitlist-cli-7.1.0.tgz"), "package/package.json"];
  assert.equal(JSON.parse(await outputOf(["tar", ...cli])).version, "7.1.0");
  const unpacked = JSON.parse(await git("show", "v7.1.0:deno.json"));
  assert.equal(unpacked.version, "7.1.0");

  const again = await release();
  assert.equal(again.code, 1);
  assert.match(again.stderr, /^deno\.json has no version that ends in -dev; write the next one/);
});
