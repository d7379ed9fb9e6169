import assert from "node:assert/strict";
import { InFlight } from "../../../server/http/in_flight.ts";

Deno.test("InFlight.settled() waits for the answers that are under way, and not for answers that begin later", async () => {
  const inFlight = new InFlight();
  assert.equal(inFlight.track("at once"), "at once");
  const good = Promise.withResolvers<string>();
  const bad = Promise.withResolvers<string>();
  assert.equal(inFlight.track(good.promise), good.promise);
  inFlight.track(bad.promise);
  let settled = false;
  const waiting = inFlight.settled().then(() => settled = true);
  inFlight.track(new Promise(() => {}));

  good.resolve("later");
  await new Promise((resolve) => setTimeout(resolve));
  assert.equal(settled, false);
  bad.reject(new Error("a fault"));
  await waiting;
});
