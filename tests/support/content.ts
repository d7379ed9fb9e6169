import { createService } from "../../server/service.ts";
import { readConfig, type Variables } from "../../server/config.ts";
import { createLog } from "../../server/log.ts";
import { CONTENT_FOLDER } from "../../server/site/mod.ts";
import { BASE_URL, START } from "./service.ts";

/** A copy of `content/` that a test may change. */
export interface ContentCopy extends AsyncDisposable {
  /** Ends with a slash. */
  folder: URL;
}

/** Copies the project's `content/` to a folder that goes when the copy is disposed of. */
export async function copyContent(): Promise<ContentCopy> {
  const path = await Deno.makeTempDir({ prefix: "content-" });
  const folder = new URL(`file://${path}/`);
  await copyFolder(CONTENT_FOLDER, folder);
  return {
    folder,
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

async function copyFolder(from: URL, to: URL): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (isDirectory) await copyFolder(new URL(`${name}/`, from), new URL(`${name}/`, to));
    else await Deno.copyFile(new URL(name, from), new URL(name, to));
  }
}

/** The whole service over another `content/`; sends a GET and gives the answer. */
export async function serveContent(
  contentFolder: URL,
  variables: Variables = {},
): Promise<AsyncDisposable & { get: (path: string, init?: RequestInit) => Promise<Response> }> {
  const kv = await Deno.openKv(":memory:");
  const now = () => START;
  const baseUrl = variables.BASE_URL ?? BASE_URL;
  const result = readConfig({ ...variables, BASE_URL: baseUrl });
  if ("faults" in result) throw new Error(result.faults.join("\n"));
  const app = await createService(result.config, baseUrl, {
    kv,
    now,
    random: (length) => crypto.getRandomValues(new Uint8Array(length)),
    log: createLog({ level: "error", now, write: console.error }),
    contentFolder,
  });
  return {
    get: async (path, init) => await app.request(path, init),
    [Symbol.asyncDispose]() {
      kv.close();
      return Promise.resolve();
    },
  };
}
