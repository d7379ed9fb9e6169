/**
 * Writes the table of the fields that a JSON Schema describes.
 *
 * @module
 */
import { type OpenApi, type OrReference, resolve, type Schema } from "./openapi.ts";
import { table } from "./text.ts";

/** Writes the fields of an object as a table. The fields of an inner object get names such as `proof.source`. */
export function schemaTable(document: OpenApi, schema: OrReference<Schema>): string {
  return table(["Field", "Type", "Required", "Rules"], fieldRows(document, schema, ""));
}

/** Returns a row for each field of an object, and for each field of its inner objects. */
function fieldRows(document: OpenApi, schema: OrReference<Schema>, prefix: string): string[][] {
  const { properties = {}, required = [] } = resolve(document, schema);
  return Object.entries(properties).flatMap(([name, property]) => {
    const field = resolve(document, property);
    return [
      [
        `\`${prefix}${name}\``,
        typeName(document, field),
        required.includes(name) ? "yes" : "no",
        describeValues(field),
      ],
      ...fieldRows(document, field, `${prefix}${name}.`),
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
function describeValues(schema: Schema): string {
  const { const: constant, enum: choices, minimum, maxLength } = schema;
  const values = constant === undefined ? choices : [constant];
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
