/**
 * The image of `server/deploy/Dockerfile`, without a container daemon: its steps are done in a folder, and its command
 * runs there as its account, which can write to `/data` alone, in a network of its own that leads nowhere.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { makeTestFolder, outputOf, run } from "../../support/process.ts";
import { copyProject, readDocument } from "../../support/project_files.ts";

const PROGRAMS = ["unshare", "setpriv", "ip", "timeout"];
const ignore = Deno.uid() !== 0 ||
  (await Promise.all(PROGRAMS.map((each) => run(["which", each])))).some(({ code }) => code !== 0);
const test = ignore ? Deno.test.ignore : Deno.test;
if (ignore) console.log(`The test of the image is skipped: it needs root and ${PROGRAMS}`);

/** Removes from the sources what `Dockerfile.dockerignore` keeps out of the build. */
async function ignoreFiles(sources: string): Promise<void> {
  const text = await readDocument("server/deploy/Dockerfile.dockerignore");
  for (const pattern of text.split("\n").filter((line) => line !== "" && !line.startsWith("#"))) {
    const anywhere = pattern.startsWith("**/");
    const which = anywhere ? ["-name", pattern.slice(3)] : ["-path", `${sources}/${pattern}`];
    await outputOf(["find", sources, ...which, "-prune", "-exec", "rm", "-r", "{}", "+"]);
  }
}

/** Does the steps of the Dockerfile below a folder; gives what a container is started with. */
async function makeImage(sources: string, root: string) {
  const inRoot = (text: string) => text.replaceAll(/(^|[\s=])\/(app|data)\b/g, `$1${root}/$2`);
  const image = { env: {} as Record<string, string>, user: "", command: [""], health: [""] };
  // The base image has Deno on its path.
  await outputOf(["install", "-D", "-m", "0755", Deno.execPath(), join(root, "bin/deno")]);
  const PATH = `${root}/bin:/usr/bin:/bin`;
  const text = (await readDocument("server/deploy/Dockerfile")).replaceAll(/^#.*\n|\\\n/gm, "");
  for (const [, name = "", rest = ""] of text.matchAll(/^([A-Z]+) (.+)$/gm)) {
    const words = inRoot(rest).split(" ");
    if (name === "COPY") {
      const to = join(root, "app", words.at(-1)!);
      for (const from of words.slice(0, -1)) await outputOf(["cp", "-r", join(sources, from), to]);
    } else if (name === "WORKDIR") await Deno.mkdir(words[0]!);
    else if (name === "ENV") {
      Object.assign(image.env, Object.fromEntries(words.map((word) => word.split("="))));
    } else if (name === "RUN") {
      const env = { ...image.env, PATH };
      await outputOf(["sh", "-c", inRoot(rest)], { cwd: join(root, "app"), env });
    } else if (name === "USER") [image.user] = rest.split(":") as [string];
    else if (name === "CMD") image.command = JSON.parse(rest);
    else if (name === "HEALTHCHECK") image.health = JSON.parse(rest.slice(rest.indexOf("[")));
    else assert.ok(["FROM", "VOLUME", "EXPOSE"].includes(name), name);
  }
  return { ...image, env: { ...image.env, PATH } };
}

test("The Dockerfile's steps make a service that runs as another user, with a read-only file system and without a network", async () => {
  await using project = await copyProject();
  // Deno cannot allow a path with a comma to be read.
  await using folder = await makeTestFolder("waitlist_image_");
  const root = folder.path;
  await Deno.chmod(root, 0o755);
  // As server/docs/deploy.md has them made before the build.
  const secrets = join(project.path, "server/deploy/secrets");
  await Deno.mkdir(secrets);
  await Deno.writeTextFile(join(secrets, "operator_key"), "the key");
  await Deno.writeTextFile(join(project.path, "content/export.csv"), "ada@example.com");
  await ignoreFiles(project.path);
  const { env, user, command, health } = await makeImage(project.path, root);
  const named = ["-name", "operator_key", "-o", "-name", "export.csv"];
  assert.equal(await outputOf(["find", root, ...named]), "");

  const shell = (words: string[]) => words.map((word) => `'${word}'`).join(" ");
  const isHealthy = shell(health);
  const signUp = `const response = await fetch("http://127.0.0.1:8000/api/v1/waitlist", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ email: "ada@example.com", consent: true }),
    });
    console.log(response.status, await response.text());`;
  const inside = `deno ${shell(command)} &
      until ${isHealthy}; do kill -0 $! || exit 9; done
      ${shell(["deno", "eval", signUp])}
      kill -TERM $!
      wait $!
      echo "ended with $?"
      ${isHealthy} || echo "unhealthy"`;
  const alone = 'ip link set lo up && exec setpriv --reuid="$0" --regid="$0" --clear-groups "$@"';
  const { code, stdout, stderr } = await run(
    ["timeout", "60", "unshare", "--net", "sh", "-c", alone, user, "sh", "-c", inside],
    { cwd: join(root, "app"), env, clearEnv: true },
  );
  assert.equal(stdout, '200 {"accepted":true}\nended with 0\nunhealthy\n', stderr);
  assert.equal(code, 0);
  assert.match(stderr, /"event":"stopped"/);
  const { uid, mode } = await Deno.stat(join(root, "data/waitlist.sqlite3"));
  assert.deepEqual([uid, mode! & 0o777], [Number(user), 0o600]);
  const written = await outputOf(["find", root, "-user", user, "-not", "-path", `${root}/data*`]);
  assert.equal(written, "");
});
