/**
 * Runs the fast tests, as `deno task test` does: all but those in `slow/`. Other arguments go to `deno test`.
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
  "cli/",
  "server/operator/",
  "server/console/",
  "server/",
  "",
];

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

const byGroup = Map.groupBy(testsIn(""), groupOf);
const folder = await Deno.makeTempDir({ prefix: "waitlist-fast-tests-" });
try {
  const modules = GROUPS.map((group, index) => {
    const module = `${folder}/${index}_${group.replaceAll("/", "_")}test.ts`;
    const imports = (byGroup.get(group) ?? []).map((path) => `import "${new URL(path, ROOT)}";\n`);
    Deno.writeTextFileSync(module, imports.join(""));
    return module;
  });
  const options = ["--config", "tests/deno.json", "-A", "--parallel"];
  const sanitizers = ["--sanitize-ops", "--sanitize-resources"];
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: ["test", ...options, ...sanitizers, ...Deno.args, "--doc", "shared", ...modules],
    cwd: fileURLToPath(new URL("../", ROOT)),
  }).spawn().status;
  Deno.exitCode = code;
} finally {
  await Deno.remove(folder, { recursive: true });
}
