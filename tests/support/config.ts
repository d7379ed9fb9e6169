/** Reads configurations of which a test knows whether they are right. @module */
import assert from "node:assert/strict";
import { type Config, readConfig, type ServiceVariables } from "../../server/config/mod.ts";

/** Reads variables that must be right. */
export function accept(variables: ServiceVariables): Config {
  const result = readConfig(variables);
  assert.ok("config" in result, `${Deno.inspect(variables)}: ${Deno.inspect(result)}`);
  return result.config;
}

/** Gives the faults of variables that must be wrong. */
export function refuse(variables: ServiceVariables): string[] {
  const result = readConfig(variables);
  assert.ok("faults" in result, `${Deno.inspect(variables)} was accepted`);
  return result.faults;
}

/** A variable, a wrong value, and what the fault says of it. */
export type Refused = [name: keyof ServiceVariables, value: string, fault: RegExp];

/** Variables whose example is no value, but says how to get one. */
const EXPLAINED = ["OPERATOR_KEY", "OPERATOR_KEYS", "MAIL_TOKEN", "MAIL_HOOK", "WEBHOOK_SECRET"];

/** Asserts that each value has one fault, whose example is right beside the other variables. */
export function assertRefused(refused: Refused[], others: ServiceVariables): void {
  for (const [name, value, fault] of refused) {
    const [text = "", ...more] = refuse({ ...others, [name]: value });
    assert.deepEqual(more, [], `${name}: ${text}`);
    assert.match(text, fault);
    const pattern = new RegExp(`^${name} .+\\. Example: ${name}=(.+)$`, "s");
    const [, example = ""] = pattern.exec(text) ?? [];
    assert.notEqual(example, "", text);
    if (EXPLAINED.includes(name)) continue;
    const pasted = /^(?:"(.+)"|([^\s<>]+))$/.exec(example);
    assert.ok(pasted, `a shell does not take ${name}=${example} as it is`);
    accept({ ...others, [name]: pasted[1] ?? pasted[2] });
  }
}

/** Asserts that no fault of a variable quotes the secret `hunter2`, which is in each value. */
export function assertNotQuoted(
  values: (readonly [name: keyof ServiceVariables, value: string])[],
  others: ServiceVariables,
): void {
  for (const [name, value] of values) {
    const faults = refuse({ ...others, [name]: value });
    assert.ok(!faults.join().includes("hunter2"), `${value}: ${faults.join("\n")}`);
  }
}
