import assert from "node:assert/strict";
import { isIPv4 } from "node:net";
import fc from "fast-check";
import { createClientAddressFinder } from "../../../server/http/client_address.ts";
import {
  type ClientAddress,
  ipv4Address,
  UNKNOWN_ADDRESS,
} from "../../../server/limits/client_address.ts";

const PEER = "192.0.2.1";

/** What a request is counted under, as text: an IPv4 address, a /64 network or `unknown`. */
function source(forwardedFor: string | null, hops: number, socket = PEER): string {
  const headers = new Headers();
  if (forwardedFor !== null) headers.set("X-Forwarded-For", forwardedFor);
  const remoteAddr: Deno.NetAddr = { transport: "tcp", hostname: socket, port: 50_000 };
  return format(
    createClientAddressFinder(hops)(new Request("http://localhost/", { headers }), { remoteAddr }),
  );
}

function format({ high, low }: ClientAddress): string {
  if (high === UNKNOWN_ADDRESS.high && low === UNKNOWN_ADDRESS.low) return "unknown";
  if (high === ipv4Address(0).high) {
    return [24, 16, 8, 0].map((bits) => low >>> bits & 255).join(".");
  }
  const parts = [high >>> 16, high & 0xffff, low >>> 16, low & 0xffff];
  return `${parts.map((part) => part.toString(16)).join(":")}::/64`;
}

Deno.test("createClientAddressFinder() returns an IPv4 address, or the /64 network of an IPv6 address", async (t) => {
  const cases: [socket: string, expected: string][] = [
    ["192.0.2.1", "192.0.2.1"],
    ["2001:db8:1:2::1", "2001:db8:1:2::/64"],
    ["2001:DB8:0001:0002:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"],
    ["2001:db8:1:3::1", "2001:db8:1:3::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["::ffff:c000:201", "192.0.2.1"],
    ["0:0:0:0:0:FFFF:C000:0201", "192.0.2.1"],
    // A Unix socket has no address.
    ["", "unknown"],
  ];
  for (const [socket, expected] of cases) {
    await t.step(socket, () => {
      assert.equal(source(null, 0, socket), expected);
    });
  }
});

Deno.test("createClientAddressFinder() ignores X-Forwarded-For when no proxy is trusted", () => {
  assert.equal(source("198.51.100.1", 0), PEER);
});

Deno.test("createClientAddressFinder() returns the n-th entry of X-Forwarded-For from the right when n proxies are trusted", () => {
  const forwardedFor = "203.0.113.1, 198.51.100.3,198.51.100.2 ,\t198.51.100.1";
  assert.equal(source(forwardedFor, 1), "198.51.100.1");
  assert.equal(source(forwardedFor, 2), "198.51.100.2");
  assert.equal(source(forwardedFor, 3), "198.51.100.3");
  assert.equal(source(forwardedFor, 4), "203.0.113.1");
});

Deno.test("createClientAddressFinder() returns the socket's address when X-Forwarded-For has fewer entries than there are trusted proxies", () => {
  assert.equal(source(null, 1), PEER);
  assert.equal(source("", 1), PEER);
  assert.equal(source("198.51.100.1", 2), PEER);
  assert.equal(source("198.51.100.1, 198.51.100.2", 3), PEER);
});

Deno.test("createClientAddressFinder() returns the socket's address when the entry of X-Forwarded-For is not an IP address", async (t) => {
  const entries = [
    "unknown",
    "_hidden",
    "for=198.51.100.1",
    "example.com",
    "198.51.100",
    "198.51.100.256",
    "198.51.100.01",
    "0x7f.1",
    "2130706433",
    "198.51.100.1:",
    "198.51.100.1:http",
    "[2001:db8::1",
    "2001:db8::1]:443",
    "[2001:db8::1]443",
    "2001:db8:::1",
    " ",
    "198.51.100.1 198.51.100.2",
    "fe80::1%eth-0",
    "fe80::1%a.b",
  ];
  for (const entry of entries) {
    await t.step(entry, () => {
      assert.equal(source(`203.0.113.1, ${entry}`, 1), PEER);
    });
  }
});

Deno.test("createClientAddressFinder() accepts a port after the IP address in X-Forwarded-For", async (t) => {
  const cases: [entry: string, expected: string][] = [
    ["198.51.100.1:443", "198.51.100.1"],
    ["[2001:db8:1:2::1]:443", "2001:db8:1:2::/64"],
    ["[2001:db8:1:2::1]", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::1", "2001:db8:1:2::/64"],
    ["[::ffff:198.51.100.1]:443", "198.51.100.1"],
    ["::ffff:198.51.100.1", "198.51.100.1"],
  ];
  for (const [entry, expected] of cases) {
    await t.step(entry, () => {
      assert.equal(source(entry, 1), expected);
    });
  }
});

Deno.test("createClientAddressFinder() does not ask for the socket's address when X-Forwarded-For has the source address", () => {
  const info = {
    get remoteAddr(): Deno.NetAddr {
      throw new Error("The socket's address was read");
    },
  };
  const headers = { "X-Forwarded-For": "198.51.100.1" };
  const found = createClientAddressFinder(1)(new Request("http://localhost/", { headers }), info);
  assert.equal(format(found), "198.51.100.1");
});

Deno.test("createClientAddressFinder() accepts the same IPv4 addresses as node:net", () => {
  const part = fc.oneof(
    fc.nat(300).map(String),
    fc.constantFrom("", "00", "01", "1a", "-1", " 1", "+1"),
  );
  fc.assert(fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
    const address = parts.join(".");
    assert.equal(source(null, 0, address), isIPv4(address) ? address : "unknown");
  }));
});
