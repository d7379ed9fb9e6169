/**
 * Reads the values of the variables by their table.
 *
 * @module
 */
import {
  SERVICE_VARIABLES,
  type Variable,
  VARIABLE_NAMES,
  type VariableName,
} from "./variables.ts";

/** The texts of variables; an empty one counts as absent. */
export type ServiceVariables = { [Name in VariableName]?: string | undefined };

/** What the variables say: the default for one that is absent, `undefined` where it has none. */
export type Values = {
  [Name in VariableName]:
    | ReturnType<typeof SERVICE_VARIABLES[Name]["parse"]>
    | (typeof SERVICE_VARIABLES[Name] extends { default: string } ? never : undefined);
};

/**
 * Reads the variables, each by itself.
 *
 * @returns the values, which are only whole where there are no faults, and one sentence for each wrong value
 */
export function readVariables(variables: ServiceVariables): { values: Values; faults: string[] } {
  const faults: string[] = [];
  const values = VARIABLE_NAMES.map((name) => {
    const { parse, ...variable }: Variable = SERVICE_VARIABLES[name];
    const text = variables[name] || variable.default;
    if (!text) return [name, undefined];
    try {
      return [name, parse(text)];
    } catch (error) {
      faults.push(withExample(name, (error as Error).message));
      return [name, undefined];
    }
  });
  return { values: Object.fromEntries(values), faults };
}

/** Makes the sentence about a fault of a variable. @param fault goes on behind the variable's name */
export function withExample(name: VariableName, fault: string): string {
  return `${name} ${fault}. Example: ${name}=${SERVICE_VARIABLES[name].example}`;
}
