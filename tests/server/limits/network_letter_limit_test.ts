import assert from "node:assert/strict";
import { ipv4Address, ipv6Network } from "../../../server/limits/client_address.ts";
import { createNetworkLetterLimit } from "../../../server/limits/network_letter_limit.ts";

const HOUR = 60 * 60 * 1000;

/** A letter limit with a clock that the test moves. */
function letterLimit() {
  const clock = { now: 5_000 };
  return { clock, networkDelay: createNetworkLetterLimit({ monotonic: () => clock.now }) };
}

Deno.test("createNetworkLetterLimit() allows 60 letters an hour for a network, and delays the next 60 letters by an hour", () => {
  const { clock, networkDelay } = letterLimit();
  const address = ipv4Address(0xc0000201);
  const waits = Array.from({ length: 150 }, () => networkDelay(address));
  assert.deepEqual(waits, [
    ...Array(60).fill(0),
    ...Array(60).fill(HOUR),
    ...Array(30).fill(2 * HOUR),
  ]);
  clock.now += HOUR + 1_000;
  assert.equal(networkDelay(address), HOUR - 1_000, "behind those that wait");
  clock.now += 2 * HOUR;
  assert.equal(networkDelay(address), 0);
});

Deno.test("createNetworkLetterLimit() counts IPv4 addresses by their /24 and IPv6 addresses by their /48", () => {
  const { networkDelay } = letterLimit();
  for (let n = 0; n < 60; n++) {
    assert.equal(networkDelay(ipv4Address(0xc0000200 + n)), 0);
    assert.equal(networkDelay(ipv6Network([0x2001, 0xdb8, 1, n])), 0);
  }
  assert.equal(networkDelay(ipv4Address(0xc00002ff)), HOUR);
  assert.equal(networkDelay(ipv4Address(0xc0000300)), 0, "another /24");
  assert.equal(networkDelay(ipv6Network([0x2001, 0xdb8, 1, 99])), HOUR);
  assert.equal(networkDelay(ipv6Network([0x2001, 0xdb8, 2, 0])), 0, "another /48");
});
