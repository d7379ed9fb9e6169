/** A company's own folder of content, which a test writes. */
import { startTestService } from "./service.ts";

/** A square logo, whose size is in its `viewBox` alone. */
export const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle r="9"/></svg>';

/**
 * Writes files by their paths, such as `en/press.md`, into a folder that goes when it is disposed of; its path is the
 * value of `CONTENT_PATH`.
 */
export async function writeContent(files: Record<string, string | Uint8Array>) {
  const path = await Deno.makeTempDir({ prefix: "own content " });
  for (const [name, content] of Object.entries(files)) {
    await Deno.mkdir(`${path}/${name}`.replace(/\/[^/]*$/, ""), { recursive: true });
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    await Deno.writeFile(`${path}/${name}`, bytes);
  }
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

/** The home page of a service with files of a company. */
export async function startBranded(files: Record<string, string | Uint8Array>, variables = {}) {
  await using own = await writeContent(files);
  const service = await startTestService({ CONTENT_PATH: own.path, ...variables });
  const html = await (await service.request("/")).text();
  return { service, html, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}
