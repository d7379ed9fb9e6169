/**
 * Runs the fast tests, as `deno task test` does: all but those in `slow/`. `--only=server/api/,server/site/` runs those
 * in the named folders of `tests/`. Other arguments go to `deno test`. Types are not checked here, because
 * `deno task check` checks them.
 *
 * Each group of folders shares an isolate, because loading the service, building its pages and compiling the contract's
 * schemas takes longer than most tests. So a test leaves no state in a module or in the process. @module
 */
import { fileURLToPath } from "node:url";
import { fastTestsIn, groupOf, GROUPS } from "./support/fast_tests.ts";

/** The argument that chooses folders. */
const ONLY = "--only=";

const ROOT = new URL("./", import.meta.url);

const only = Deno.args.find((argument) => argument.startsWith(ONLY));
const folders = only?.slice(ONLY.length).split(",") ?? [""];
const byGroup = Map.groupBy(folders.flatMap(fastTestsIn), groupOf);
const folder = await Deno.makeTempDir({ prefix: "waitlist-fast-tests-" });
try {
  const modules = GROUPS.filter((group) => byGroup.has(group)).map((group, index) => {
    const module = `${folder}/${index}_${group.replaceAll("/", "_")}test.ts`;
    const imports = byGroup.get(group)!.map((path) => `import "${new URL(path, ROOT)}";\n`);
    Deno.writeTextFileSync(module, imports.join(""));
    return module;
  });
  const options = ["--config", "tests/deno.json", "-A", "--no-check", "--parallel"];
  const others = Deno.args.filter((argument) => argument !== only);
  // The examples in comments of `shared/` belong to no folder of tests.
  const examples = only ? [] : ["--doc", "shared"];
  // One group more than there are cores, because tests also wait.
  const DENO_JOBS = Deno.env.get("DENO_JOBS") ?? String(navigator.hardwareConcurrency + 1);
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: ["test", ...options, ...others, ...examples, ...modules],
    env: { DENO_JOBS },
    cwd: fileURLToPath(new URL("../", ROOT)),
  }).spawn().status;
  Deno.exitCode = code;
} finally {
  await Deno.remove(folder, { recursive: true });
}
