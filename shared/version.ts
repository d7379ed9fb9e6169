import project from "../deno.json" with { type: "json" };

/** The version of the service and of the CLI, from `deno.json`. The OpenAPI documents have versions of their own. */
export const VERSION: string = project.version;
