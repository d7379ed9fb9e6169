import assert from "node:assert/strict";
import { ipv4Address, ipv6Network } from "../../../server/limits/window_counts.ts";
import { createNetworkBrake } from "../../../server/limits/network_brake.ts";

const HOUR = 60 * 60 * 1000;

/** A brake with a clock that the test moves. */
function brake() {
  const clock = { now: 5_000 };
  return { clock, throttle: createNetworkBrake({ monotonic: () => clock.now }) };
}

Deno.test("createNetworkBrake() lets 60 letters an hour go, and the others wait for the next hours", () => {
  const { clock, throttle } = brake();
  const address = ipv4Address(0xc0000201);
  const waits = Array.from({ length: 150 }, () => throttle(address));
  assert.deepEqual(waits, [
    ...Array(60).fill(0),
    ...Array(60).fill(HOUR),
    ...Array(30).fill(2 * HOUR),
  ]);
  clock.now += HOUR + 1_000;
  assert.equal(throttle(address), HOUR - 1_000, "behind those that wait");
  clock.now += 2 * HOUR;
  assert.equal(throttle(address), 0);
});

Deno.test("createNetworkBrake() counts by /24 and /48", () => {
  const { throttle } = brake();
  for (let n = 0; n < 60; n++) {
    assert.equal(throttle(ipv4Address(0xc0000200 + n)), 0);
    assert.equal(throttle(ipv6Network([0x2001, 0xdb8, 1, n])), 0);
  }
  assert.equal(throttle(ipv4Address(0xc00002ff)), HOUR);
  assert.equal(throttle(ipv4Address(0xc0000300)), 0, "another /24");
  assert.equal(throttle(ipv6Network([0x2001, 0xdb8, 1, 99])), HOUR);
  assert.equal(throttle(ipv6Network([0x2001, 0xdb8, 2, 0])), 0, "another /48");
});
