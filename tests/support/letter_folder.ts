import assert from "node:assert/strict";
import { join } from "node:path";
import PostalMime from "postal-mime";

/** Waits until the folder of `MAIL_URL=file:…` gets a letter, and reads it. */
export async function firstLetterIn(folder: string) {
  await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  using events = Deno.watchFs(folder);
  for await (const _ of events) {
    for await (const { name } of Deno.readDir(folder)) {
      if (name.endsWith(".eml")) {
        return await PostalMime.parse(await Deno.readFile(join(folder, name)));
      }
    }
  }
  assert.fail("the folder is no longer watched");
}
