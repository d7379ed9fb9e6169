/** The key of the console's URLs, which all processes of a store share. @module */
import { base64url } from "jose";
import type { RandomBytes } from "../../runtime/mod.ts";
import { changeEntry, CONSOLE_KEY, type Kv } from "../kv/mod.ts";

/** The length of the key, in bytes. */
const CONSOLE_KEY_BYTES = 32;

/**
 * Gives the key of the console's URLs. Makes the key if there is none. Processes that start together get the same key.
 * @returns the bytes of the key
 */
export async function openConsoleKey(kv: Kv, random: RandomBytes): Promise<Uint8Array> {
  const newKey = base64url.encode(random(CONSOLE_KEY_BYTES));
  const key = await changeEntry<string, string>(
    kv,
    CONSOLE_KEY,
    (stored) => stored ? { result: stored } : { newValue: newKey, result: newKey },
  );
  return base64url.decode(key);
}
