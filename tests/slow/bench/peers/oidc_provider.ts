/**
 * `oidc-provider` at the token endpoint: client credentials, HS256 JWT access tokens, in memory. It runs on Node, as it
 * supports the LTS releases of Node from 22 on and no other runtime. @module
 */
import { Buffer } from "node:buffer";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import Provider from "oidc-provider";

const scope = "waitlist:stats:read";
const provider = new Provider("http://localhost", {
  clients: [{
    client_id: "client",
    client_secret: "a-secret-of-more-than-32-characters-in-all",
    grant_types: ["client_credentials"],
    response_types: [],
    redirect_uris: [],
    scope,
  }],
  scopes: [scope],
  ttl: { ClientCredentials: 900 },
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => "http://localhost/api/v1",
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        scope,
        audience: "http://localhost/api/v1",
        accessTokenTTL: 900,
        accessTokenFormat: "jwt",
        jwt: { sign: { alg: "HS256", key: Buffer.from("k".repeat(32)) } },
      }),
    },
  },
});
const server = createServer(provider.callback());
server.listen(0, "127.0.0.1", () => {
  console.log(`listening ${(server.address() as AddressInfo).port}`);
});
process.on("SIGTERM", () => process.exit());
