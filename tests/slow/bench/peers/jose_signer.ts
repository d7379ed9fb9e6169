/** A bare `Deno.serve` that signs an access token with `jose` for every request, and does no more. */
import { SignJWT } from "jose";

const { headers } = JSON.parse(Deno.args[0] ?? "{}");
const key = await crypto.subtle.generateKey({ name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async () => {
  const issuedAt = Math.floor(Date.now() / 1000);
  const token = await new SignJWT({ client_id: "client", scope: "waitlist:stats:read" })
    .setProtectedHeader({ alg: "HS256", typ: "at+jwt", kid: "1" })
    .setIssuer("http://localhost")
    .setAudience("http://localhost/api/v1")
    .setSubject("client")
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + 900)
    .setJti(crypto.randomUUID())
    .sign(key);
  const body = { access_token: token, token_type: "Bearer", expires_in: 900 };
  return new Response(JSON.stringify({ ...body, scope: "waitlist:stats:read" }), { headers });
});
console.log(`listening ${server.addr.port}`);
Deno.addSignalListener("SIGTERM", () => Deno.exit());
