/**
 * Names the proxy of a call that got no answer, because a wrong proxy looks like a service that is down. The runtime's
 * `fetch` uses the proxy; this module only reads the same environment variables.
 *
 * @module
 */
import { BlockList, isIP } from "node:net";
import type { Context, Variables } from "./context.ts";
import { CliError, EXIT } from "./errors.ts";

/** What decides whether a call goes through a proxy. */
type ProxySettings = Pick<Context, "variables" | "usesProxies">;

/**
 * Adds the advice of {@linkcode proxyAdvice} to an error that says that no whole answer came. Returns any other error as
 * it is.
 *
 * @param url the URL of the call
 */
export function withProxyAdvice(error: unknown, url: string, settings: ProxySettings): unknown {
  if (!(error instanceof CliError) || error.exitCode !== EXIT.cannotConnect) return error;
  const advice = proxyAdvice(url, settings);
  if (advice === undefined) return error;
  return new CliError(`${error.message}; ${advice}`, error.exitCode, error.code);
}

/**
 * Returns what the user can do about the proxy that the environment names for a URL, as the end of a sentence;
 * `undefined` if the environment names no proxy for the URL. The advice has the host and port of the proxy, never its
 * user name and password.
 */
export function proxyAdvice(
  url: string,
  { variables, usesProxies }: ProxySettings,
): string | undefined {
  const { protocol, hostname } = new URL(url);
  const { name, value } = protocol === "https:"
    ? { name: "HTTPS_PROXY", value: variables.HTTPS_PROXY || variables.https_proxy }
    : { name: "HTTP_PROXY", value: variables.HTTP_PROXY || variables.http_proxy };
  const proxy = hostOf(value);
  if (proxy === undefined || isExcepted(hostname, variables)) return undefined;
  return usesProxies
    ? `${name} sends the call through the proxy ${proxy}, so check this proxy too, or add ${hostname} to NO_PROXY`
    : `${name} names the proxy ${proxy}, but Node does not use this proxy unless NODE_USE_ENV_PROXY is 1, so set ` +
      "NODE_USE_ENV_PROXY=1 if you need the proxy (this works with Node 24 or newer)";
}

/** Returns host and port of a proxy; `undefined` if the variable is not set, or if its value is no URL and no host. */
function hostOf(value: string | undefined): string | undefined {
  if (!value) return undefined;
  const address = value.includes("://") ? value : `http://${value}`;
  return URL.canParse(address) ? new URL(address).host || undefined : undefined;
}

/**
 * Whether `NO_PROXY` excepts a host. Each entry of the variable is `*`, a domain, which stands for its subdomains as
 * well, or a network of IP addresses.
 */
function isExcepted(hostname: string, { NO_PROXY, no_proxy }: Variables): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  const entries = (NO_PROXY ?? no_proxy ?? "").split(",").map((entry) => entry.trim());
  return entries.some((entry) => {
    const domain = entry.replace(/^\*?\./, "");
    const isSubdomain = domain !== "" && host.endsWith(`.${domain}`);
    return entry === "*" || host === domain || isSubdomain || isInNetwork(host, entry);
  });
}

/** Whether a host is an IP address in a network such as `10.0.0.0/8`. */
function isInNetwork(host: string, network: string): boolean {
  const [address = "", length = ""] = network.split("/");
  const version = isIP(address);
  const isLength = /^\d+$/.test(length) && Number(length) <= (version === 6 ? 128 : 32);
  if (version === 0 || isIP(host) !== version || !isLength) return false;
  const family = version === 6 ? "ipv6" : "ipv4";
  const addresses = new BlockList();
  addresses.addSubnet(address, Number(length), family);
  return addresses.check(host, family);
}
