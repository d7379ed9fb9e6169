/** The configuration of the service: its variables, their values, and the URLs and paths that follow from them. @module */
export { findOpenAccess, makeFolder, type OpenAccess, refuseOpenFolder } from "./access.ts";
export * from "./config.ts";
export type { MailTarget, Sender } from "./mail_values.ts";
export type { Operator } from "./operators.ts";
export { fromProject, holdsProgram, kvFolder, PROJECT } from "./paths.ts";
export type { PostgresLocation } from "./postgres_url.ts";
export { readConfig, type ServiceVariables } from "./read_config.ts";
export * from "./urls.ts";
export { parseSiteName } from "./values.ts";
export { ALL_VARIABLE_NAMES, SERVICE_VARIABLES } from "./variables.ts";
export type { MailHook } from "./webhook_values.ts";
