import type { Credentials } from "./sandbox_client.ts";

/** The value of an `Authorization` header of HTTP Basic, id and secret form-encoded first (RFC 6749 §2.3.1). */
export function basicAuthorization({ clientId, clientSecret }: Credentials): string {
  const encode = (text: string) => new URLSearchParams({ "": text }).toString().slice(1);
  return `Basic ${btoa(`${encode(clientId)}:${encode(clientSecret)}`)}`;
}
