/** The settings of the typed client. @module */
import { type Credentials, type EnvironmentName, ENVIRONMENTS } from "./environments.ts";

/** The settings of a client. */
export interface ApiClientOptions {
  /** The service's public origin, such as `https://waitlist.example`. */
  baseUrl: string;
  /** Default: `production`. */
  environment?: EnvironmentName;
  /** For `stats` and `token`. Default in the sandbox: those that its OpenAPI document publishes. */
  credentials?: Credentials;
  /** Default: the global `fetch`. */
  fetch?: typeof fetch;
  /** The time until the whole response must have arrived, in milliseconds. Default: 10,000. */
  timeout?: number;
  /** The longest time that one call waits because of `Retry-After`, in milliseconds. Default: 10,000. */
  maxWait?: number;
}

/** Checks what a program without types may have wrong. */
export function checkOptions(
  { baseUrl, environment = "production", credentials }: Partial<ApiClientOptions> = {},
): void {
  // "localhost:8510" is a URL too, of a scheme "localhost:".
  if (!/^https?:\/\//i.test(`${baseUrl}`) || !URL.canParse(`${baseUrl}`)) {
    throw new TypeError(
      `baseUrl is '${baseUrl}', which is not an http: or https: URL; give one such as ` +
        "'https://waitlist.example' or 'http://localhost:8000'",
    );
  }
  if (!Object.hasOwn(ENVIRONMENTS, environment)) {
    throw new TypeError(`environment is '${environment}'; give 'production' or 'sandbox'`);
  }
  const { clientId, clientSecret } = credentials ?? { clientId: "", clientSecret: "" };
  if (typeof clientId !== "string" || typeof clientSecret !== "string") {
    throw new TypeError(
      `credentials has ${Object.keys(credentials!).join(" and ") || "no members"}; ` +
        "give both clientId and clientSecret as strings",
    );
  }
}
