import assert from "node:assert/strict";
import { type Config, contactOf, type ServiceVariables } from "../../../server/config/mod.ts";
import { accept } from "../../support/config.ts";

const DEFAULTS: Config = {
  port: 8000,
  hostname: "127.0.0.1",
  serviceName: "waitlist",
  kv: { kind: "file", path: "./data/waitlist.sqlite3" },
  trustedProxyHops: 0,
  sandboxClient: "sandbox-public-client",
  operators: [],
  unconfirmedDays: 14,
  embedOrigins: [],
  logLevel: "info",
  onDenoDeploy: false,
};

Deno.test("readConfig() gives the defaults when no variable is set, or all are empty", () => {
  assert.deepEqual(accept({}), DEFAULTS);
  const empty = { BASE_URL: "", PORT: "", HOST: "", CONTACT: "", KV_PATH: "", KV_URL: "" };
  const others = { OPERATOR_KEY: "", SANDBOX_CLIENT: "", LOG_LEVEL: "", DENO_DEPLOY: "" };
  assert.deepEqual(accept({ ...empty, ...others }), DEFAULTS);
});

const KEY = "0123456789".repeat(3) + "01";
const TOKEN = { DENO_KV_ACCESS_TOKEN: "token" };

const ACCEPTED: [ServiceVariables, Partial<Config>][] = [
  [{ BASE_URL: "https://example.com" }, { baseUrl: "https://example.com" }],
  [{ BASE_URL: "https://example.com/" }, { baseUrl: "https://example.com" }],
  [{ BASE_URL: "http://[::1]:8443/" }, { baseUrl: "http://[::1]:8443" }],
  [{ BASE_URL: "https://EXAMPLE.com:443" }, { baseUrl: "https://example.com" }],
  [{ PORT: "0" }, { port: 0 }],
  [{ PORT: "65535" }, { port: 65_535 }],
  [{ HOST: "0.0.0.0" }, { hostname: "0.0.0.0" }],
  [{ HOST: "::1" }, { hostname: "::1" }],
  [{ HOST: "localhost" }, { hostname: "localhost" }],
  [{ CONTACT: "mailto:team@example.com" }, { contact: "mailto:team@example.com" }],
  [{ CONTACT: "https://example.com/contact" }, { contact: "https://example.com/contact" }],
  [{ SERVICE_NAME: "early-access2" }, { serviceName: "early-access2" }],
  [{ SERVICE_NAME: "x".repeat(63) }, { serviceName: "x".repeat(63) }],
  [{ KV_PATH: "./data/deeper/kv" }, { kv: { kind: "file", path: "./data/deeper/kv" } }],
  [{ KV_PATH: "../server/kv" }, { kv: { kind: "file", path: "../server/kv" } }],
  [{ KV_PATH: "/a folder, far/kv" }, { kv: { kind: "file", path: "/a folder, far/kv" } }],
  [{ ...TOKEN, KV_URL: "http://127.0.0.1:4512", KV_PATH: "/unused/kv" }, {
    kv: { kind: "connect", url: "http://127.0.0.1:4512", accessToken: "token" },
  }],
  [{ ...TOKEN, KV_URL: "https://kv.example.com/path" }, {
    kv: { kind: "connect", url: "https://kv.example.com/path", accessToken: "token" },
  }],
  [TOKEN, {}],
  [{ TRUSTED_PROXY_HOPS: "0" }, { trustedProxyHops: 0 }],
  [{ TRUSTED_PROXY_HOPS: "2" }, { trustedProxyHops: 2 }],
  [{ SANDBOX_CLIENT: "Try.me_~-9" }, { sandboxClient: "Try.me_~-9" }],
  [{ SANDBOX_CLIENT: "x".repeat(128) }, { sandboxClient: "x".repeat(128) }],
  [{ EMBED_ORIGINS: " https://www.example.com\thttp://localhost:3000/ " }, {
    embedOrigins: ["https://www.example.com", "http://localhost:3000"],
  }],
  [{ OPERATOR_KEY: KEY }, { operators: [{ name: "operator", key: KEY }] }],
  [{ OPERATOR_KEYS: ` ada=${KEY}  grace_2-x=${KEY}==\n` }, {
    operators: [{ name: "ada", key: KEY }, { name: "grace_2-x", key: `${KEY}==` }],
  }],
  [{ OPERATOR_KEYS: `operator=${KEY}` }, { operators: [{ name: "operator", key: KEY }] }],
  [{ OPERATOR_KEYS: `ada=${KEY},=,` }, { operators: [{ name: "ada", key: `${KEY},=,` }] }],
  [{ OPERATOR_KEY: KEY, OPERATOR_KEYS: `ada=${KEY}x` }, {
    operators: [{ name: "operator", key: KEY }, { name: "ada", key: `${KEY}x` }],
  }],
  [{ SITE_NAME: "Häuser & Söhne" }, { siteName: "Häuser & Söhne" }],
  [{ SITE_NAME: "x".repeat(100) }, { siteName: "x".repeat(100) }],
  [{ CONTENT_PATH: "../acme no" }, { contentPath: "../acme no" }],
  [{ LOG_LEVEL: "debug" }, { logLevel: "debug" }],
  [{ LOG_LEVEL: "info" }, { logLevel: "info" }],
  [{ LOG_LEVEL: "warn" }, { logLevel: "warn" }],
  [{ LOG_LEVEL: "error" }, { logLevel: "error" }],
  [{ DENO_DEPLOY: "1", BASE_URL: "https://example.com", KV_PATH: "/unused/kv" }, {
    baseUrl: "https://example.com",
    kv: { kind: "deploy" },
    onDenoDeploy: true,
  }],
];

Deno.test("readConfig() takes each variable's value and leaves the others' defaults when it is right", () => {
  for (const [variables, settings] of ACCEPTED) {
    assert.deepEqual(accept(variables), { ...DEFAULTS, ...settings });
  }
});

Deno.test("contactOf() is the configured address, or hello@ at the base URL's host when there is none", () => {
  assert.equal(contactOf(accept({}), "https://example.com:8443"), "mailto:hello@example.com");
  const config = accept({ CONTACT: "https://example.com/contact" });
  assert.equal(contactOf(config, "https://other.example"), "https://example.com/contact");
});
