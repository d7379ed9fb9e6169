/**
 * Puts the parts together: from a configuration, an open KV, a clock and randomness to an app.
 *
 * @module
 */
import type { Hono } from "@hono/hono";
import type { ServerBindings } from "./api/mod.ts";
import { createApp } from "./app.ts";
import { type Config, contactOf } from "./config.ts";
import { createProduction, createSandbox, type EnvironmentOptions } from "./environment.ts";
import { createLimiter } from "./limits/fixed_window.ts";
import type { Log } from "./log.ts";
import type { RandomBytes } from "./oauth/clients.ts";
import { CONTENT_FOLDER, createSite } from "./site/mod.ts";
import { openRootKeys } from "./store/root_keys.ts";

/** What the service takes from its surroundings. */
export interface Surroundings {
  kv: Deno.Kv;
  /** The clock, in milliseconds since 1970. */
  now: () => number;
  random: RandomBytes;
  log: Log;
  /** The pages' texts; the project's own unless told otherwise. */
  contentFolder?: URL;
}

/**
 * Makes the service.
 *
 * @param baseUrl the public origin, without a trailing slash
 */
export async function createService(
  config: Config,
  baseUrl: string,
  { kv, now, random, log, contentFolder = CONTENT_FOLDER }: Surroundings,
): Promise<Hono<ServerBindings>> {
  const { serviceName, siteName, sandboxClient, trustedProxyHops } = config;
  const contact = contactOf(config, baseUrl);
  const options: EnvironmentOptions = {
    baseUrl,
    serviceName,
    rootKeys: await openRootKeys(kv, random),
    countRequest: createLimiter(now),
    now,
    random,
  };
  return createApp({
    production: await createProduction(kv, options),
    sandbox: await createSandbox(sandboxClient, options),
    site: await createSite({ siteName, contact, baseUrl, sandboxClient, folder: contentFolder }),
    trustedProxyHops,
    sandboxClient,
    contact,
    log,
  });
}
