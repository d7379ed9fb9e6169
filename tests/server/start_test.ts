import assert from "node:assert/strict";
import { MALLOC_TRIM_THRESHOLD, serviceCommand } from "../../server/start.ts";
import { accept } from "../support/config.ts";

const NAME = "MALLOC_TRIM_THRESHOLD_";

Deno.test("serviceCommand() sets MALLOC_TRIM_THRESHOLD_ for the service unless the operator has set the variable", async () => {
  const config = accept({ KV_URL: "postgres://waitlist:secret@127.0.0.1/waitlist" });
  const before = Deno.env.get(NAME);
  try {
    Deno.env.delete(NAME);
    assert.equal((await serviceCommand(config)).env?.[NAME], MALLOC_TRIM_THRESHOLD);
    Deno.env.set(NAME, "65536");
    assert.equal((await serviceCommand(config)).env?.[NAME], "65536");
  } finally {
    if (before === undefined) Deno.env.delete(NAME);
    else Deno.env.set(NAME, before);
  }
});
