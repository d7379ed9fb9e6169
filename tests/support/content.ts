/** Folders of content that a test writes, and the options of a site that is made of them. @module */
import { CONTENT_FOLDER } from "../../server/site/mod.ts";

/** The options of a site that has no name of its own and sends no letters. */
export const SITE_OPTIONS = {
  contact: "mailto:hello@example.com",
  baseUrl: "https://waitlist.test",
  sandboxClient: "sandbox",
  sendsLetters: false,
  givesReferralCodes: false,
  unconfirmedDays: 14,
  embedOrigins: [],
  apiLinks: "",
};

/** Copies the project's `content/` to a folder that a test may change, and that goes when the copy is disposed of. */
export async function copyContent() {
  const path = await Deno.makeTempDir({ prefix: "content-" });
  /** Ends with a slash. */
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
