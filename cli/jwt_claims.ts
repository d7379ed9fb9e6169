import { isObject } from "../shared/shapes.ts";

/** The claims of a JWT, unverified: they are for showing only. `undefined` where it is none. */
export function readClaims(token: string): Record<string, unknown> | undefined {
  try {
    const bytes = Uint8Array.fromBase64(token.split(".")[1] ?? "", { alphabet: "base64url" });
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isObject(claims) ? claims : undefined;
  } catch {
    return undefined;
  }
}
