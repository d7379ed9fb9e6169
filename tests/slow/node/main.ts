/**
 * Runs test files on Node: `node --import ./tests/slow/node/deno.ts tests/slow/node/main.ts <files>`. Prints what has
 * failed, and a last line as `deno test` does; exits with 1 after a failure. @module
 */
import { resolve } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { afterEach, registered, type RegisteredTest } from "./deno.ts";

for (const file of process.argv.slice(2)) await import(pathToFileURL(resolve(file)).href);

let passed = 0;
const failures: string[] = [];

async function runTest({ name, fn }: Pick<RegisteredTest, "name" | "fn">): Promise<void> {
  const failedBefore = failures.length;
  try {
    await fn({
      async step(first: unknown, body?: unknown) {
        const step = typeof first === "string" ? { name: first, fn: body } : first;
        await runTest(step as RegisteredTest);
        return true;
      },
    } as Pick<Deno.TestContext, "step">);
    for (const work of afterEach) await work();
  } catch (error) {
    failures.push(`${name}\n${(error as Error).stack}\n`);
  }
  if (failures.length === failedBefore) passed++;
}

for (const { ignore, ...test } of registered) {
  if (!ignore) await runTest(test);
}
for (const failure of failures) console.error(failure);
console.log(
  `${failures.length === 0 ? "ok" : "FAILED"} | ${passed} passed | ${failures.length} failed`,
);
process.exit(failures.length === 0 && passed > 0 ? 0 : 1);
