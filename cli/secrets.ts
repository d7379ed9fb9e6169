import type { Output } from "./context.ts";

/** Below this length, hiding a secret would rather hide ordinary words. */
const MIN_LENGTH = 4;

/** Knows secrets and takes them out of what is written. */
export interface Secrets {
  hide: (secret: string) => void;
  /** The output without the secrets known by the time of each write. */
  keepOutOf: <T extends Output>(output: T) => T;
}

/** Makes an empty collection of secrets. */
export function createSecrets(): Secrets {
  const hidden = new Set<string>();
  return {
    hide(secret) {
      if (secret.length < MIN_LENGTH) return;
      // As it is, and as it stands in a form, a URL and JSON.
      for (const encode of [String, encodeURIComponent, formEncode, JSON.stringify]) {
        hidden.add(encode(secret).replace(/^"(.*)"$/, "$1"));
      }
    },
    keepOutOf: (output) => ({
      ...output,
      write: (text) => output.write([...hidden].reduce((t, s) => t.replaceAll(s, "***"), text)),
    }),
  };
}

function formEncode(text: string): string {
  return new URLSearchParams({ "": text }).toString().slice(1);
}
