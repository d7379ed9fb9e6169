import assert from "node:assert/strict";
import { findZone, isZone } from "../../shared/zones.ts";

Deno.test("isZone() accepts names of time zones, and refuses offsets", () => {
  const zones = ["Europe/Berlin", "UTC", "America/Argentina/Buenos_Aires"];
  assert.deepEqual(zones.map(isZone), [true, true, true]);
  const others = ["", "Berlin", "+02:00", "Europe/Berlln", "constructor"];
  assert.deepEqual(others.map(isZone), [false, false, false, false, false]);
});

Deno.test("findZone() finds a zone by its name or its city, and else names similar zones", () => {
  assert.deepEqual(findZone("Europe/Berlin"), { zone: "Europe/Berlin" });
  assert.deepEqual(findZone("UTC"), { zone: "UTC" });
  assert.deepEqual(findZone(" berlin"), { zone: "Europe/Berlin" });
  assert.deepEqual(findZone("New York"), { zone: "America/New_York" });
  assert.deepEqual(findZone("Berln"), { similar: ["Europe/Berlin"] });
  assert.deepEqual(findZone("Europa/Berlin"), { similar: ["Europe/Berlin"] });
  assert.deepEqual(findZone("nowhere at all"), { similar: [] });
  assert.deepEqual(findZone(" Europe/Berlin "), { zone: "Europe/Berlin" });
});

Deno.test("findZone() takes no longer for a long text", () => {
  const begin = performance.now();
  assert.deepEqual(findZone("a".repeat(200_000)), { similar: [] });
  assert.ok(performance.now() - begin < 1_000);
});
