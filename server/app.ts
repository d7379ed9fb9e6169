/**
 * The whole URL space.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { createApi, type ServerBindings } from "./api/mod.ts";
import { discoveryDocuments } from "./discovery/mod.ts";
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
  siteName: string;
  log: Log;
}

/** Makes the app that answers every request. */
export function createApp(options: AppOptions): Hono<ServerBindings> {
  const { production, sandbox, site } = options;
  const app = new Hono<ServerBindings>({ getPath: rawPath });

  app.route("/", createApi(production, options));
  app.route("/", createApi(sandbox, options));

  for (
    const [path, document] of Object.entries(discoveryDocuments({ ...options, pages: site.pages }))
  ) {
    const answer = serveDocument(document);
    app.all(path, (context) => answer(context.req.raw));
  }

  app.route("/", site.routes);
  app.notFound((context) => site.notFound(context.req.raw));
  return app;
}
