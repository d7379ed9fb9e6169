/** A letter that is sent in tests, and a receiver that never answers. @module */
import { listenTo } from "./receiver.ts";
import assert from "node:assert/strict";
import { join } from "node:path";
import PostalMime from "postal-mime";

/** A letter that is ready to be sent. */
export const LETTER = {
  id: "letter-1",
  to: "ada@example.com",
  subject: "Grüße",
  text: "Text\n",
  html: "<p>HTML</p>\n",
  pictureFiles: [],
  headers: { "Message-ID": "<letter-1@example.com>", "Auto-Submitted": "auto-generated" },
};

/** Who letters come from. */
export const FROM = { name: "Example Company", address: "hello@example.com" };

/** A receiver that answers only when it is disposed of. */
export function listenInSilence() {
  const silence = Promise.withResolvers<Response>();
  const reached = Promise.withResolvers<void>();
  const receiver = listenTo(() => {
    reached.resolve();
    return silence.promise;
  });
  return {
    url: receiver.url,
    /** Resolves once it was called. */
    reached: reached.promise,
    async [Symbol.asyncDispose]() {
      silence.resolve(new Response());
      await receiver[Symbol.asyncDispose]();
    },
  };
}

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
