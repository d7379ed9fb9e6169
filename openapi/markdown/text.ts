/**
 * Writes the building blocks of Markdown: paragraphs, tables and code.
 *
 * @module
 */
import { type OpenApi, type OrReference, resolve, type Schema } from "./openapi.ts";

/** Joins blocks by empty lines. Absent and empty blocks are left out. */
export function paragraphs(...blocks: (string | undefined)[]): string {
  return blocks.filter((block) => block !== undefined && block !== "")
    .map((block) => block!.trim()).join("\n\n");
}

/** Writes a table. Line breaks in cells become spaces. */
export function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), `|${head.map(() => "---").join("|")}|`, ...rows.map(line)].join("\n");
}

function cell(text: string): string {
  return text.trim().replace(/\s+/g, " ").replaceAll("|", "\\|");
}

/** Writes a fenced code block. */
export function code(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

/** Returns the URL fragment of a heading, by GitHub's rule for ASCII. */
export function anchor(heading: string): string {
  return `#${heading.toLowerCase().replace(/[^a-z0-9 _-]/g, "").replaceAll(" ", "-")}`;
}

/** Writes a value as JSON on one line, with spaces between its parts. */
export function inlineJson(value: unknown): string {
  return JSON.stringify(value, null, 1).replace(/\n */g, " ");
}

/** Writes the fields of an object as a table. The fields of an inner object get names such as `proof.source`. */
export function schemaTable(document: OpenApi, schema: OrReference<Schema>): string {
  return table(["Field", "Type", "Required", "Rules"], rows(document, schema, ""));
}

function rows(document: OpenApi, node: OrReference<Schema>, prefix: string): string[][] {
  const { properties = {}, required = [] } = resolve(document, node);
  return Object.entries(properties).flatMap(([name, node]) => {
    const field = resolve(document, node);
    return [
      [
        `\`${prefix}${name}\``,
        typeName(document, field),
        required.includes(name) ? "yes" : "no",
        rules(field),
      ],
      ...rows(document, field, `${prefix}${name}.`),
    ];
  });
}

function typeName(document: OpenApi, schema: Schema): string {
  const { type = "any", format, additionalProperties } = schema;
  if (typeof additionalProperties === "object") {
    return `map to ${typeName(document, resolve(document, additionalProperties))}`;
  }
  return format ? `${type}, ${format}` : type;
}

/** Describes the allowed values of a schema, followed by the description in the schema. */
function rules(schema: Schema): string {
  const { const: constant, enum: listed, minimum, maxLength } = schema;
  const values = constant === undefined ? listed : [constant];
  return [
    values && `${values.length > 1 ? "One of" : "Constant"} ${values.map(literal).join(", ")}.`,
    minimum !== undefined && `At least ${minimum}.`,
    maxLength !== undefined && `At most ${maxLength} characters.`,
    schema.description,
  ].filter(Boolean).join(" ");
}

function literal(value: unknown): string {
  return value === "" ? "empty" : `\`${String(value)}\``;
}
