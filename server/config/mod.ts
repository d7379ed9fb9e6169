/**
 * The configuration of the service: its variables, their values, and the URLs and paths that follow from them.
 * `access.ts` makes the configured folders, and finds files and folders that are open to other accounts. @module
 */
export { findOpenPaths, makeFolder, type OpenPath, refuseOpenFolder } from "./access.ts";
export { type Config, CONFIG_EXIT_CODE, ConfigError, type KvLocation } from "./config.ts";
export type { MailTarget, Sender } from "./mail_values.ts";
export type { Operator } from "./operators.ts";
export { fromProject, holdsServiceCode, kvFolder, PROJECT } from "./paths.ts";
export type { PostgresLocation } from "./postgres_url.ts";
export { readConfig, type ServiceVariables } from "./read_config.ts";
export {
  contactOf,
  type DescribedEnvironment,
  type EnvironmentUrls,
  environmentUrls,
  senderOf,
} from "./urls.ts";
export { parseSiteName } from "./values.ts";
export { ALL_VARIABLE_NAMES, SERVICE_VARIABLES } from "./variables.ts";
export type { MailHook } from "./webhook_values.ts";
