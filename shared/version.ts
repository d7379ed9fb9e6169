/** The version of the program, which stands in `deno.json` alone. @module */
import project from "../deno.json" with { type: "json" };

/** The versions of the OpenAPI documents are those of the contracts. */
export const VERSION: string = project.version;
