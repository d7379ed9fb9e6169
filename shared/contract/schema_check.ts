/**
 * Checks values by the schemas of an OpenAPI document, and says in sentences what is wrong.
 *
 * @module
 */
import type { ErrorObject, ValidateFunction } from "ajv/dist/2020.js";
import type { Schema } from "./description.ts";

/** The greatest length of a quoted value, in characters. It is shorter than any access token. */
const MAX_QUOTED = 60;

/**
 * Checks a value by a schema, and returns a sentence for each fault. `place` is the name of the value. Each sentence
 * begins with `place` and the JSON Pointer of the faulty part, such as `body/email`.
 */
export type SchemaCheck = (schema: Schema, value: unknown, place: string) => string[];

/**
 * Makes the check for the schemas of a document (JSON Schema 2020-12, OpenAPI 3.1.0 §4.8.24). It compiles a schema at the
 * first use of the schema object.
 *
 * @param components the `components` of the document, to which references point
 */
export async function createSchemaCheck(components: unknown): Promise<SchemaCheck> {
  const [{ Ajv2020 }, { fullFormats }] = await Promise.all([
    import("ajv/dist/2020.js"),
    import("ajv-formats/dist/formats.js"),
  ]);
  const ajv = new Ajv2020({
    allErrors: true,
    formats: fullFormats,
    // Unknown keywords are allowed, because the compiled schemas have some, such as `components` (added below).
    strict: false,
    // The schemas themselves are not validated, because compiling the meta-schema would take longer than compiling all
    // schemas of the document.
    validateSchema: false,
    // Puts the checked value into each error, because the message quotes the value.
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
    return (validate.errors ?? []).map((error) =>
      `${place}${error.instancePath} ${describeError(error)}`
    );
  };
}

/** Describes an error: the expected value and the actual one. */
function describeError({ keyword, params, message, data }: ErrorObject): string {
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

/** Writes a value as JSON. Long JSON is cut, so that a message never has a whole access token. */
function quote(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text;
}
