/**
 * Reads the variables for letters and events.
 *
 * @module
 */
import {
  type MailTarget,
  parseBearerToken,
  parseCalledUrl,
  parseMailUrl,
  parseSender,
  parseWebhookSecret,
  type Sender,
} from "./config/mail_values.ts";
import { wholeNumber } from "./config/values.ts";

/** How letters are sent. */
export interface MailConfig {
  target: MailTarget;
  /** The default for a folder is {@linkcode senderOf}'s; other targets always have it. */
  from?: Sender;
  /** The most letters in a minute, of all processes together. */
  perMinute: number;
}

/** Where events go, and the secret that signs them. */
export interface WebhookConfig {
  url: string;
  secret: string;
}

/** The settings of letters and events. */
export interface LettersConfig {
  mail?: MailConfig;
  /** How long an address that was asked to confirm, and did not, is kept, in days. */
  unconfirmedDays: number;
  webhook?: WebhookConfig;
}

/** The names of the variables for letters and events. */
export const LETTER_VARIABLES = [
  "MAIL_URL",
  "MAIL_FROM",
  "MAIL_TOKEN",
  "MAIL_PER_MINUTE",
  "UNCONFIRMED_DAYS",
  "WEBHOOK_URL",
  "WEBHOOK_SECRET",
] as const;

type LetterVariable = typeof LETTER_VARIABLES[number];

/** What the reading of the variables needs to know. */
export interface LetterVariablesOptions {
  /** Reads a variable, and notes a fault with an example; `undefined` for one that is absent or wrong. */
  read: <T>(name: LetterVariable, example: string, parse: (text: string) => T) => T | undefined;
  /** Whether a variable has a value, be it wrong. */
  has: (name: LetterVariable) => boolean;
  /** Why there is no KV file, such as `with KV_URL`; `undefined` where there is one. */
  withoutKvFile: string | undefined;
  faults: string[];
}

const DEFAULT_PER_MINUTE = 300, MAX_PER_MINUTE = 1_000_000;
const DEFAULT_UNCONFIRMED_DAYS = 14, MAX_UNCONFIRMED_DAYS = 3_650;

const SERVER_EXAMPLE = "smtp://user:password@mail.example.com:587";
const SENDER_EXAMPLE = "Example Company <hello@example.com>";
const SECRET_EXAMPLE = "whsec_ and the output of `openssl rand -base64 32`";

/** Reads the settings of letters and events. */
export function readLettersConfig(options: LetterVariablesOptions): LettersConfig {
  const { read, has, withoutKvFile, faults } = options;
  const require = (name: LetterVariable, by: string, example: string) => {
    if (!has(name)) faults.push(`${name} is required with ${by}. Example: ${name}=${example}`);
  };

  const target = read("MAIL_URL", SERVER_EXAMPLE, parseMailUrl);
  const from = read("MAIL_FROM", SENDER_EXAMPLE, parseSender);
  const token = read("MAIL_TOKEN", "the token of the mail API", parseBearerToken);
  const perMinute = read("MAIL_PER_MINUTE", "300", wholeNumber(1, MAX_PER_MINUTE));
  const unconfirmedDays = read("UNCONFIRMED_DAYS", "14", wholeNumber(1, MAX_UNCONFIRMED_DAYS));
  const url = read("WEBHOOK_URL", "https://hooks.example.com/waitlist", parseCalledUrl);
  const secret = read("WEBHOOK_SECRET", SECRET_EXAMPLE, parseWebhookSecret);

  if (target?.kind === "folder" && withoutKvFile) {
    faults.push(
      `MAIL_URL is 'file:${target.name}', a folder beside the KV file, and there is no KV file ` +
        `${withoutKvFile}. Example: MAIL_URL=${SERVER_EXAMPLE}`,
    );
  }
  if (target && target.kind !== "folder") require("MAIL_FROM", "MAIL_URL", SENDER_EXAMPLE);
  if (target?.kind === "api") {
    require("MAIL_TOKEN", "an https: MAIL_URL", "the token of the mail API");
  }
  if (url) require("WEBHOOK_SECRET", "WEBHOOK_URL", SECRET_EXAMPLE);

  return {
    ...(target && {
      mail: {
        target: target.kind === "api" ? { ...target, token: token ?? "" } : target,
        ...(from && { from }),
        perMinute: perMinute ?? DEFAULT_PER_MINUTE,
      },
    }),
    unconfirmedDays: unconfirmedDays ?? DEFAULT_UNCONFIRMED_DAYS,
    ...(url && { webhook: { url, secret: secret ?? "" } }),
  };
}
