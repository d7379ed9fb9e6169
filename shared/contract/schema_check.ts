import type { ErrorObject, ValidateFunction } from "ajv/dist/2020.js";
import type { Schema } from "./description.ts";

/**
 * Holds a value against a schema: a sentence for each fault, which begins with the name of the place,
 * such as `body`, and the JSON Pointer below it. No sentence when the value is valid.
 */
export type SchemaCheck = (schema: Schema, value: unknown, place: string) => string[];

/**
 * Makes the check of a document's schemas (JSON Schema 2020-12, OpenAPI 3.1.0 §4.8.24). Each schema
 * object is compiled when it is first used, and kept.
 *
 * @param components the document's `components`, where references point
 */
export async function createSchemaCheck(components: unknown): Promise<SchemaCheck> {
  const [{ Ajv2020 }, { fullFormats }] = await Promise.all([
    import("ajv/dist/2020.js"),
    import("ajv-formats/dist/formats.js"),
  ]);
  const ajv = new Ajv2020({
    allErrors: true,
    formats: fullFormats,
    // The document has keywords of its own, such as `examples` of OpenAPI and `components` below.
    strict: false,
    // Compiling the meta-schema takes longer than all of the document; compiling checks the keywords.
    validateSchema: false,
    // Errors carry the value that was found.
    verbose: true,
  });
  const compiled = new Map<Schema, ValidateFunction>();

  return (schema, value, place) => {
    let validate = compiled.get(schema);
    if (!validate) {
      validate = ajv.compile({ ...schema, components });
      compiled.set(schema, validate);
    }
    validate(value);
    return (validate.errors ?? []).map((error) => `${place}${error.instancePath} ${say(error)}`);
  };
}

/** What was expected and what was found. */
function say({ keyword, params, message, data }: ErrorObject): string {
  switch (keyword) {
    case "required":
      return `lacks "${params.missingProperty}"`;
    case "additionalProperties":
      return `has "${params.additionalProperty}", which is not documented`;
    case "const":
      return `must be ${quote(params.allowedValue)}, not ${quote(data)}`;
    case "not":
      return `must not be ${quote(data)}`;
    case "enum":
      return `must be one of ${params.allowedValues.map(quote).join(", ")}, not ${quote(data)}`;
    default:
      return `${message}, not ${quote(data)}`;
  }
}

/** A value as JSON, cut so that a sentence stays one and never holds a whole access token. */
function quote(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
