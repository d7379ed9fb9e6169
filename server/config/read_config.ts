/** Reads the configuration from the variables of `variables.ts`, and reports all faults at once. @module */
import type { BackupConfig, Config, KvLocation, MailConfig } from "./config.ts";
import { findRepeatedMember } from "./operators.ts";
import { readSecretFile } from "./secret_file.ts";
import {
  SECRET_FILE_VARIABLES,
  SERVICE_VARIABLES,
  type Variable,
  VARIABLE_NAMES,
  type VariableName,
} from "./variables.ts";

/**
 * The environment variables of the service as texts. A variable whose name ends in `_FILE` has the path of a file with
 * a secret. An empty text counts as absent.
 */
export type ServiceVariables = {
  [Name in VariableName | `${VariableName}_FILE`]?: string | undefined;
};

/** The parsed values of the variables. The value of a variable that is not set is its default, or `undefined`. */
type Values = {
  [Name in VariableName]:
    | ReturnType<typeof SERVICE_VARIABLES[Name]["parse"]>
    | (typeof SERVICE_VARIABLES[Name] extends { default: string } ? never : undefined);
};

/**
 * Reads the configuration. Each fault is a text with the name of the variable, what is wrong, and an example. No fault
 * quotes a secret.
 */
export function readConfig(variables: ServiceVariables): { config: Config } | { faults: string[] } {
  const faults: string[] = [];
  const noteFault: NoteFault = (name, fault) => {
    const { default: defaultValue, example = defaultValue }: Variable = SERVICE_VARIABLES[name];
    faults.push(`${name} ${fault}. Example: ${name}=${example}`);
  };
  const entries = VARIABLE_NAMES.map((name) => {
    try {
      return [name, readValue(name, variables)];
    } catch (error) {
      noteFault(name, (error as Error).message);
      return [name, undefined];
    }
  });
  const values: Values = Object.fromEntries(entries);
  noteMissing(values, (name, reason) => {
    // A variable that is set is not reported as missing, because a wrong value already has a fault of its own.
    if (!variables[name] && !variables[`${name}_FILE`]) noteFault(name, `is required ${reason}`);
  });
  noteConflicts(values, noteFault);
  return faults.length > 0 ? { faults } : { config: toConfig(values, variables) };
}

/**
 * Reads the value of a variable, or of the file with the secret.
 * @throws an Error if the value is wrong; its message continues after the name of the variable
 */
function readValue(name: VariableName, variables: ServiceVariables): unknown {
  const { parse, default: defaultValue, secret }: Variable = SERVICE_VARIABLES[name];
  const secretFile = secret && variables[`${name}_FILE`];
  if (secretFile && variables[name]) {
    throw new Error(`is set, and ${name}_FILE too; unset one of them`);
  }
  const text = secretFile
    ? readSecretFile(secretFile, `${name}_FILE`)
    : variables[name] || defaultValue;
  return text ? parse(text) : undefined;
}

/** Notes a fault of a variable. The fault is a text that continues after the name of the variable. */
type NoteFault = (name: VariableName, fault: string) => void;

/**
 * Calls `requireVariable` for each variable that is needed because of other variables.
 * @param requireVariable notes a fault if the variable is not set; `reason` is the text after "is required"
 */
function noteMissing(
  values: Values,
  requireVariable: (name: VariableName, reason: string) => void,
): void {
  const { DENO_DEPLOY, MAIL_URL, MAIL_FROM, NOTIFY_TO, WEBHOOK_URL } = values;
  if (DENO_DEPLOY) {
    requireVariable("BASE_URL", "on Deno Deploy, where the service cannot know its public address");
  }
  if (MAIL_URL && MAIL_URL.kind !== "folder") requireVariable("MAIL_FROM", "with MAIL_URL");
  if (MAIL_FROM || NOTIFY_TO) {
    const dependent = MAIL_FROM ? "MAIL_FROM" : "NOTIFY_TO";
    const reason =
      `with ${dependent}, as no letter is sent without it; set it, or unset ${dependent}`;
    requireVariable("MAIL_URL", reason);
  }
  if (values.REFERRALS === "on") {
    requireVariable("MAIL_URL", "with REFERRALS=on, because only a confirmed address has a link");
  }
  if (MAIL_URL?.kind === "api") requireVariable("MAIL_TOKEN", "with an https: MAIL_URL");
  if (WEBHOOK_URL) requireVariable("WEBHOOK_SECRET", "with WEBHOOK_URL");
  if (values.BACKUP_URL?.kind === "s3") {
    for (const name of ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"] as const) {
      requireVariable(name, "with a bucket in BACKUP_URL");
    }
    requireVariable(
      "BACKUP_RECIPIENT",
      "with a bucket, which others run: no address leaves unencrypted",
    );
  }
  if (values.BACKUP_RECIPIENT) {
    requireVariable("BACKUP_URL", "with BACKUP_RECIPIENT, as no backup is made without it");
  }
}

/** Notes a fault for each value that is valid alone, but not together with other values. */
function noteConflicts(values: Values, noteFault: NoteFault): void {
  const { OPERATOR_KEY, OPERATOR_KEYS = [], MAIL_URL, KV_URL, DENO_DEPLOY } = values;
  const repeatedMember = OPERATOR_KEY && findRepeatedMember([OPERATOR_KEY, ...OPERATOR_KEYS]);
  if (repeatedMember) {
    const fault = `has the ${repeatedMember} of the operator of OPERATOR_KEY, who is called ` +
      `'${OPERATOR_KEY.name}'; give another one`;
    noteFault("OPERATOR_KEYS", fault);
  }
  const { REMIND_AFTER_DAYS = 0, UNCONFIRMED_DAYS } = values;
  if (REMIND_AFTER_DAYS >= UNCONFIRMED_DAYS) {
    noteFault(
      "REMIND_AFTER_DAYS",
      `is '${REMIND_AFTER_DAYS}', when nobody is left whose address is not confirmed`,
    );
  }
  if (MAIL_URL?.kind === "folder" && (KV_URL || DENO_DEPLOY)) {
    const reason = KV_URL ? "with KV_URL" : "on Deno Deploy";
    const fault =
      `is 'file:${MAIL_URL.name}', a folder beside the KV file, and there is no KV file ${reason}`;
    noteFault("MAIL_URL", fault);
  }
  if (DENO_DEPLOY && values.BACKUP_URL?.kind === "folder") {
    noteFault("BACKUP_URL", "is a folder, and there is no disk on Deno Deploy");
  }
}

function toConfig(values: Values, variables: ServiceVariables): Config {
  return {
    baseUrl: values.BASE_URL,
    port: values.PORT,
    host: values.HOST,
    contact: values.CONTACT,
    serviceName: values.SERVICE_NAME,
    kv: toKvLocation(values),
    trustedProxyHops: values.TRUSTED_PROXY_HOPS,
    sandboxClient: values.SANDBOX_CLIENT,
    operators: [values.OPERATOR_KEY ?? [], values.OPERATOR_KEYS ?? []].flat(),
    mail: toMail(values),
    mailHook: values.MAIL_HOOK,
    notifyTo: values.NOTIFY_TO,
    unconfirmedDays: values.UNCONFIRMED_DAYS,
    remindAfterDays: values.REMIND_AFTER_DAYS,
    hasReferrals: values.REFERRALS === "on",
    showsPlaceInLine: values.PLACE_IN_LINE === "on",
    webhook: values.WEBHOOK_URL === undefined
      ? undefined
      : { url: values.WEBHOOK_URL, secrets: values.WEBHOOK_SECRET ?? [] },
    backup: toBackup(values),
    site: {
      contentPath: values.CONTENT_PATH,
      allowsContentScripts: values.CONTENT_SCRIPTS === "on",
      siteName: values.SITE_NAME,
      embedOrigins: values.EMBED_ORIGINS ?? [],
    },
    logLevel: values.LOG_LEVEL,
    secretFiles: SECRET_FILE_VARIABLES.flatMap((name) => variables[name] || []),
    isDenoDeploy: Boolean(values.DENO_DEPLOY),
  };
}

function toKvLocation(values: Values): KvLocation {
  if (values.KV_URL) return values.KV_URL;
  return values.DENO_DEPLOY ? { kind: "deploy" } : { kind: "file", path: values.KV_PATH };
}

function toMail(values: Values): MailConfig | undefined {
  const { MAIL_URL: target, MAIL_TOKEN = "" } = values;
  return target && {
    target: target.kind === "api" ? { ...target, token: MAIL_TOKEN } : target,
    from: values.MAIL_FROM,
    returnPath: values.MAIL_RETURN_PATH,
    perMinute: values.MAIL_PER_MINUTE,
  };
}

function toBackup(values: Values): BackupConfig | undefined {
  const { BACKUP_URL, AWS_ACCESS_KEY_ID = "", AWS_SECRET_ACCESS_KEY = "" } = values;
  const accessKey = { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY };
  return BACKUP_URL && {
    location: BACKUP_URL.kind === "s3" ? { ...BACKUP_URL, ...accessKey } : BACKUP_URL,
    timeOfDay: values.BACKUP_AT,
    keep: values.BACKUP_KEEP,
    recipients: values.BACKUP_RECIPIENT ?? [],
  };
}
