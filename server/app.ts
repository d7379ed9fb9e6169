/**
 * The whole URL space.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { createApi, type ServerBindings } from "./api/mod.ts";
import { openApiDocument } from "./discovery/openapi_document.ts";
import type { Environment } from "./environment.ts";
import { serveDocument } from "./http/document.ts";
import { rawPath } from "./http/raw_path.ts";
import type { Log } from "./log.ts";
import type { Site } from "./site/mod.ts";

/** What the URL space is made of. */
export interface AppOptions {
  production: Environment;
  sandbox: Environment;
  site: Site;
  trustedProxyHops: number;
  sandboxClient: string;
  contact: string;
  log: Log;
}

/** Makes the app that answers every request. */
export function createApp(options: AppOptions): Hono<ServerBindings> {
  const { production, sandbox, site } = options;
  const app = new Hono<ServerBindings>({ getPath: rawPath });

  app.route("/", createApi(production, options));
  app.route("/", createApi(sandbox, options));

  const openApi = serveDocument({
    contentType: "application/json",
    text: JSON.stringify(openApiDocument({
      baseUrl: production.urls.base,
      contact: options.contact,
      service: production.service,
      sandboxClient: options.sandboxClient,
    })),
  });
  for (const { pathPrefix } of [production, sandbox]) {
    app.all(`${pathPrefix}/openapi.json`, (context) => openApi(context.req.raw));
  }

  app.route("/", site.routes);
  app.notFound((context) => site.notFound(context.req.raw));
  return app;
}
