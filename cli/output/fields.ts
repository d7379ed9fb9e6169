import type { Style } from "./style.ts";

/** Lines of names and values, the values aligned; fields without a value are left out. */
export function formatFields(
  fields: [name: string, value: string | undefined][],
  style: Style,
): string {
  const width = Math.max(...fields.map(([name]) => name.length));
  return fields
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `  ${style.dim(name.padEnd(width))}  ${value}\n`)
    .join("");
}
