/**
 * Runs the fast tests, as `deno task test` does: all but those in `slow/`. `--only=server/api/,server/site/` runs those
 * in the named folders of `tests/`. Other arguments go to `deno test`. Types are not checked here, because
 * `deno task check` checks them.
 *
 * Each group of folders shares an isolate, because loading the service, building its pages and compiling the contract's
 * schemas takes longer than most tests. So a test leaves no state in a module or in the process. @module
 */
import { fileURLToPath } from "node:url";

/**
 * The folders whose tests share an isolate, each with the folders below it that are in no other group. The groups that
 * take longest come first, so that all cores end at about the same time.
 */
const GROUPS = [
  "server/store/",
  "server/operator/",
  "server/",
  "cli/",
  "server/console/",
  "",
];

/** The argument that chooses folders. */
const ONLY = "--only=";

const SLOW = "slow/";

const ROOT = new URL("./", import.meta.url);

/** Lists the test files of a folder and of those below it, relative to `tests/`. */
function testsIn(folder: string): string[] {
  const entries = [...Deno.readDirSync(new URL(folder, ROOT))];
  return entries.toSorted((a, b) => a.name < b.name ? -1 : 1).flatMap(({ name, isDirectory }) => {
    const path = folder + name;
    if (isDirectory) return path === SLOW.slice(0, -1) ? [] : testsIn(`${path}/`);
    return name.endsWith("_test.ts") ? path : [];
  });
}

const groupOf = (path: string): string =>
  GROUPS.filter((group) => path.startsWith(group)).toSorted((a, b) => b.length - a.length)[0]!;

const only = Deno.args.find((argument) => argument.startsWith(ONLY));
const folders = only?.slice(ONLY.length).split(",") ?? [""];
const byGroup = Map.groupBy(folders.flatMap(testsIn), groupOf);
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
