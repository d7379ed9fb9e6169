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

/** What the URL space is made of. */
export interface AppOptions {
  production: Environment;
  sandbox: Environment;
  trustedProxyHops: number;
  sandboxClient: string;
  contact: string;
  log: Log;
}

/** Makes the app that answers every request. */
export function createApp(options: AppOptions): Hono<ServerBindings> {
  const { production, sandbox } = options;
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

  app.notFound(() => {
    const message = `There is nothing here; start at ${production.urls.index}.`;
    return Response.json({ error: "not_found", message }, { status: 404 });
  });
  return app;
}
