/**
 * Gets short texts from other servers by `GET`. Only the provider `ses` needs them: the certificates of Amazon SNS, and
 * the pages that confirm a subscription. @module
 */
import { readBeginning } from "../../http/mod.ts";
import { withDeadline } from "../../runtime/mod.ts";

/** The longest text that {@linkcode getShortText} gives, in characters (UTF-16 code units). */
const MAX_TEXT_LENGTH = 20_000;

/** The longest time of a `GET`, in milliseconds. */
const GET_MS = 5_000;

/**
 * Gets a short text; cuts a longer text at {@linkcode MAX_TEXT_LENGTH}.
 * @throws an Error if the answer is a redirect, has another status than 2xx, or does not come in time
 */
export function getShortText(url: string): Promise<string> {
  return withDeadline(GET_MS, async (signal) => {
    const { ok, status, body } = await fetch(url, { redirect: "error", signal });
    // The text of a failure is read as well, because an answer that is not read would keep its connection open.
    const text = await readBeginning(body, MAX_TEXT_LENGTH);
    if (!ok) throw new Error(`The answer was ${status}`);
    return text;
  });
}
