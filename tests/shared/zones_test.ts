import assert from "node:assert/strict";
import { isZone } from "../../shared/zones.ts";

Deno.test("isZone() accepts names of time zones, and refuses offsets", () => {
  const zones = ["Europe/Berlin", "UTC", "America/Argentina/Buenos_Aires"];
  assert.deepEqual(zones.map(isZone), [true, true, true]);
  const others = ["", "Berlin", "+02:00", "Europe/Berlln", "constructor"];
  assert.deepEqual(others.map(isZone), [false, false, false, false, false]);
});
