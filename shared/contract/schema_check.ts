import type { ErrorObject, ValidateFunction } from "ajv/dist/2020.js";
import type { Schema } from "./description.ts";

/**
 * Checks a value by a schema. Returns a sentence for each fault, which begins with the name of the place,
 * such as `body`, and the JSON Pointer below it.
 */
export type SchemaCheck = (schema: Schema, value: unknown, place: string) => string[];

/**
 * Makes the check for the schemas of a document (JSON Schema 2020-12, OpenAPI 3.1.0 §4.8.24). It compiles
 * each schema object once, at its first use.
 *
 * @param components the `components` of the document, which references point to
 */
export async function createSchemaCheck(components: unknown): Promise<SchemaCheck> {
  const [{ Ajv2020 }, { fullFormats }] = await Promise.all([
    import("ajv/dist/2020.js"),
    import("ajv-formats/dist/formats.js"),
  ]);
  const ajv = new Ajv2020({
    allErrors: true,
    formats: fullFormats,
    // The schemas have keywords that are not of JSON Schema, such as `components` below.
    strict: false,
    // To compile the meta-schema would take longer than to compile all schemas of the document.
    validateSchema: false,
    // Errors then hold the value that was found.
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

/** Says what was expected and what was found. */
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

/** Writes a value as JSON, cut after 60 characters so that a message never holds a whole access token. */
function quote(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
