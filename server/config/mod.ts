/** The configuration: reads the variables of `variables.ts`, and reports all faults at once. @module */
import { findRepeated } from "./operators.ts";
import type { PostgresLocation } from "./postgres_url.ts";
import { readSecretFile } from "./paths.ts";
import { SECRET_FILES, SERVICE_VARIABLES, type Variable, VARIABLE_NAMES } from "./variables.ts";
import type { VariableName } from "./variables.ts";
export type { MailHook, MailTarget, Sender } from "./mail_values.ts";
export type { Operator } from "./operators.ts";
export { findOpenAccess, makeFolder, refuseOpenFolder } from "./access.ts";
export { fromProject, holdsProgram, kvFolder, PROJECT } from "./paths.ts";
export type { PostgresLocation } from "./postgres_url.ts";
export * from "./urls.ts";
export { parseSiteName } from "./values.ts";
export { ENVIRONMENT_NAMES, SERVICE_VARIABLES } from "./variables.ts";

/** The texts of variables, and the paths of secrets' files; an empty one counts as absent. */
export type ServiceVariables = {
  [Name in VariableName | `${VariableName}_FILE`]?: string | undefined;
};

/** What an operator has set or written cannot be used, which another start does not mend. */
export class ConfigError extends Error {}

/** The exit code of a refused configuration (`EX_CONFIG` in `sysexits.h`), after which no supervisor tries again. */
export const CONFIG_EXIT_CODE = 78;

/** What the variables say: the default for one that is absent, `undefined` where it has none. */
type Values = {
  [Name in VariableName]:
    | ReturnType<typeof SERVICE_VARIABLES[Name]["parse"]>
    | (typeof SERVICE_VARIABLES[Name] extends { default: string } ? never : undefined);
};

export type Config = ReturnType<typeof toConfig>;

export type KvLocation =
  | { kind: "file"; path: string }
  | PostgresLocation
  | { kind: "deploy" };

/** Reads the settings. A fault is one sentence: the variable, what is wrong, an example. It quotes no secret. */
export function readConfig(variables: ServiceVariables): { config: Config } | { faults: string[] } {
  const faults: string[] = [];
  const note: NoteFault = (name, fault) => {
    const { default: value, example = value }: Variable = SERVICE_VARIABLES[name];
    faults.push(`${name} ${fault}. Example: ${name}=${example}`);
  };
  const entries = VARIABLE_NAMES.map((name) => {
    const { parse, default: value, secret }: Variable = SERVICE_VARIABLES[name];
    const file = secret && variables[`${name}_FILE`];
    try {
      if (file && variables[name]) {
        throw new Error(`is set, and ${name}_FILE too; unset one of them`);
      }
      const text = file ? readSecretFile(file, `${name}_FILE`) : variables[name] || value;
      return [name, text ? parse(text) : undefined];
    } catch (error) {
      note(name, (error as Error).message);
      return [name, undefined];
    }
  });
  const values: Values = Object.fromEntries(entries);
  findMissing(values, (name, reason) => {
    // A variable whose value is wrong is not missing.
    if (!variables[name] && !variables[`${name}_FILE`]) note(name, `is required ${reason}`);
  });
  findConflicts(values, note);
  return faults.length > 0 ? { faults } : { config: toConfig(values, variables) };
}

type NoteFault = (name: VariableName, fault: string) => void;

function findMissing(values: Values, require: NoteFault) {
  const { DENO_DEPLOY, MAIL_URL, MAIL_FROM, NOTIFY_TO, WEBHOOK_URL } = values;
  if (DENO_DEPLOY) {
    require("BASE_URL", "on Deno Deploy, where the service cannot know its public address");
  }
  if (MAIL_URL && MAIL_URL.kind !== "folder") require("MAIL_FROM", "with MAIL_URL");
  const name = MAIL_FROM ? "MAIL_FROM" : NOTIFY_TO && "NOTIFY_TO";
  if (name) {
    require("MAIL_URL", `with ${name}, as no letter is sent without it; set it, or unset ${name}`);
  }
  if (MAIL_URL?.kind === "api") require("MAIL_TOKEN", "with an https: MAIL_URL");
  if (WEBHOOK_URL) require("WEBHOOK_SECRET", "with WEBHOOK_URL");
  if (values.BACKUP_URL?.kind === "s3") {
    for (const name of ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"] as const) {
      require(name, "with a bucket in BACKUP_URL");
    }
    require("BACKUP_RECIPIENT", "with a bucket, which others run: no address leaves unencrypted");
  }
  if (values.BACKUP_RECIPIENT) {
    require("BACKUP_URL", "with BACKUP_RECIPIENT, as no backup is made without it");
  }
}

function findConflicts(values: Values, note: NoteFault) {
  const { OPERATOR_KEY, OPERATOR_KEYS = [], MAIL_URL, KV_URL, DENO_DEPLOY } = values;
  const repeated = OPERATOR_KEY && findRepeated([OPERATOR_KEY, ...OPERATOR_KEYS]);
  if (repeated) {
    const fault = `has the ${repeated} of the operator of OPERATOR_KEY, who is called ` +
      `'${OPERATOR_KEY.name}'; give another one`;
    note("OPERATOR_KEYS", fault);
  }
  const { REMIND_AFTER_DAYS: days = 0, UNCONFIRMED_DAYS } = values;
  if (days >= UNCONFIRMED_DAYS) {
    note("REMIND_AFTER_DAYS", `is '${days}', when nobody is left whose address is not confirmed`);
  }
  const withoutFile = KV_URL ? "with KV_URL" : DENO_DEPLOY ? "on Deno Deploy" : undefined;
  if (MAIL_URL?.kind === "folder" && withoutFile) {
    const fault =
      `is 'file:${MAIL_URL.name}', a folder beside the KV file, and there is no KV file `;
    note("MAIL_URL", fault + withoutFile);
  }
  if (DENO_DEPLOY && values.BACKUP_URL?.kind === "folder") {
    note("BACKUP_URL", "is a folder, and there is no disk on Deno Deploy");
  }
}

function toConfig(values: Values, variables: ServiceVariables) {
  return {
    /** The public origin; without it, `http://localhost:` and the bound port. */
    baseUrl: values.BASE_URL,
    port: values.PORT,
    hostname: values.HOST,
    contact: values.CONTACT,
    serviceName: values.SERVICE_NAME,
    kv: toKvLocation(values),
    trustedProxyHops: values.TRUSTED_PROXY_HOPS,
    sandboxClient: values.SANDBOX_CLIENT,
    /** Who may call the operator surface, which is off where there is nobody. */
    operators: [values.OPERATOR_KEY ?? [], values.OPERATOR_KEYS ?? []].flat(),
    mail: toMail(values),
    mailHook: values.MAIL_HOOK,
    notifyTo: values.NOTIFY_TO,
    unconfirmedDays: values.UNCONFIRMED_DAYS,
    remindAfterDays: values.REMIND_AFTER_DAYS,
    webhook: values.WEBHOOK_URL === undefined
      ? undefined
      : { url: values.WEBHOOK_URL, secrets: values.WEBHOOK_SECRET ?? [] },
    backup: toBackup(values),
    site: {
      contentPath: values.CONTENT_PATH,
      /** Whether scripts of `contentPath` run. */
      contentScripts: values.CONTENT_SCRIPTS === "on",
      /** It wins over the name of `brand.yaml`. */
      siteName: values.SITE_NAME,
      embedOrigins: values.EMBED_ORIGINS ?? [],
    },
    logLevel: values.LOG_LEVEL,
    secretFiles: SECRET_FILES.flatMap((name) => variables[name] || []),
    /** The platform decides where the service listens. */
    onDenoDeploy: Boolean(values.DENO_DEPLOY),
  };
}

function toKvLocation(values: Values): KvLocation {
  if (values.KV_URL) return values.KV_URL;
  return values.DENO_DEPLOY ? { kind: "deploy" } : { kind: "file", path: values.KV_PATH };
}

/** Where letters go, who they come from, and the most in a minute, of all processes together. */
function toMail(values: Values) {
  const { MAIL_URL: target, MAIL_TOKEN: token = "" } = values;
  return target && {
    target: target.kind === "api" ? { ...target, token } : target,
    /** Only a folder has a default, which is `senderOf()`. */
    from: values.MAIL_FROM,
    returnPath: values.MAIL_RETURN_PATH,
    perMinute: values.MAIL_PER_MINUTE,
  };
}

/** Where backups go, when one is made each day (minutes since midnight in UTC), and how many are kept. */
function toBackup(values: Values) {
  const { BACKUP_URL, BACKUP_AT: at, BACKUP_KEEP: keep, BACKUP_RECIPIENT } = values;
  const { AWS_ACCESS_KEY_ID: accessKeyId = "", AWS_SECRET_ACCESS_KEY = "" } = values;
  const key = { accessKeyId, secretAccessKey: AWS_SECRET_ACCESS_KEY };
  const location = BACKUP_URL?.kind === "s3" ? { ...BACKUP_URL, ...key } : BACKUP_URL;
  return location && { location, at, keep, recipients: BACKUP_RECIPIENT ?? [] };
}
