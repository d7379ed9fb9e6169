/** Verifies what is signed as Standard Webhooks has it (https://www.standardwebhooks.com). @module */
import { hmacSha256 } from "../../runtime/mod.ts";
import { type HookProvider, isSame, type ProviderReport } from "./report.ts";

/** How far the moment of the signature may be off, in seconds. */
const TOLERANCE = 5 * 60;

/**
 * @param prefix the beginning of the names of its headers
 * @param reportsOf reads the reports of a payload, which may be anything, with the id of the call
 */
export function standardWebhooks(
  secret: string,
  prefix: "webhook" | "svix",
  reportsOf: (payload: unknown, id: string) => ProviderReport[],
): HookProvider {
  const sign = hmacSha256(Uint8Array.fromBase64(secret.slice("whsec_".length)));
  const partsOf = (headers: Headers) =>
    ["id", "timestamp", "signature"].map((name) => headers.get(`${prefix}-${name}`) ?? "");
  return {
    isForeign: (headers) => partsOf(headers).includes(""),
    read({ headers, text, json }, now) {
      const [id = "", timestamp = "", signatures = ""] = partsOf(headers);
      const isInTime = Math.abs(now / 1_000 - Number(timestamp)) <= TOLERANCE;
      const wanted = `v1,${sign(`${id}.${timestamp}.${text}`).toString("base64")}`;
      // While a secret is replaced there are two signatures.
      const isSigned = signatures.split(" ").some((each) => isSame(each, wanted));
      return isInTime && isSigned ? reportsOf(json, id) : undefined;
    },
  };
}
