/**
 * The whole URL space.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { createApi, type ServerBindings } from "./api/mod.ts";
import { discoveryDocuments } from "./discovery/mod.ts";
import type { ListedPage } from "./discovery/pages.ts";
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
  siteName: string;
  /** All pages, for the lists of them. */
  pages: ListedPage[];
  log: Log;
}

/** Makes the app that answers every request. */
export function createApp(options: AppOptions): Hono<ServerBindings> {
  const { production, sandbox } = options;
  const app = new Hono<ServerBindings>({ getPath: rawPath });

  app.route("/", createApi(production, options));
  app.route("/", createApi(sandbox, options));

  for (const [path, document] of Object.entries(discoveryDocuments(options))) {
    const answer = serveDocument(document);
    app.all(path, (context) => answer(context.req.raw));
  }

  app.notFound(() => {
    const message = `There is nothing here; start at ${production.urls.index}.`;
    return Response.json({ error: "not_found", message }, { status: 404 });
  });
  return app;
}
