/**
 * Reads configurations of which a test knows whether they are right.
 *
 * @module
 */
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
