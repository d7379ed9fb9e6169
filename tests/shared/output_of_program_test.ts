import assert from "node:assert/strict";
import { outputOfProgram } from "../../shared/output_of_program.ts";

Deno.test("outputOfProgram() throws an error with the reason when the program cannot be started", async () => {
  await assert.rejects(
    outputOfProgram("no-such-program", ["pack"], "."),
    /'no-such-program pack' failed:\n.*ENOENT/,
  );
});

Deno.test("outputOfProgram() throws an error with the error output of a program that fails", async () => {
  await assert.rejects(
    outputOfProgram(Deno.execPath(), ["eval", "console.error('no disk'); Deno.exit(1)"], "."),
    / eval' failed:\nno disk/,
  );
});
