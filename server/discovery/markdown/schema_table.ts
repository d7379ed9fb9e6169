import { type OpenApi, type OrReference, resolve, type Schema } from "./openapi.ts";
import { table } from "./text.ts";

/** The fields of an object as a table; those of objects inside it follow with dotted names. */
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

/** What values are allowed, then the description. */
function rules(schema: Schema): string {
  const { const: constant, enum: listed, default: preset, minimum, maxLength } = schema;
  const values = constant === undefined ? listed : [constant];
  return [
    values && `${values.length > 1 ? "One of" : "Constant"} ${values.map(literal).join(", ")}.`,
    preset !== undefined && `${literal(preset)} when left out.`,
    minimum !== undefined && `At least ${minimum}.`,
    maxLength !== undefined && `At most ${maxLength} characters.`,
    schema.description,
  ].filter(Boolean).join(" ");
}

function literal(value: unknown): string {
  return value === "" ? "empty" : `\`${String(value)}\``;
}
