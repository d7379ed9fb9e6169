/** A letter that is sent in tests, and a receiver that never answers. @module */
import { listenTo } from "./receiver.ts";

/** A letter that is ready to be sent. */
export const LETTER = {
  id: "letter-1",
  to: "ada@example.com",
  subject: "Grüße",
  text: "Text\n",
  html: "<p>HTML</p>\n",
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
