import assert from "node:assert/strict";
import { PROCESS_VARIABLES, serviceCommand } from "../../server/start.ts";
import { accept } from "../support/config.ts";

Deno.test("serviceCommand() sets each variable of PROCESS_VARIABLES for the service unless the operator has set the variable", async (t) => {
  const config = accept({ KV_URL: "postgres://waitlist:secret@127.0.0.1/waitlist" });
  for (const [name, value] of Object.entries(PROCESS_VARIABLES)) {
    await t.step(name, async () => {
      const before = Deno.env.get(name);
      try {
        Deno.env.delete(name);
        assert.equal((await serviceCommand(config)).env?.[name], value);
        Deno.env.set(name, "65536");
        assert.equal((await serviceCommand(config)).env?.[name], "65536");
      } finally {
        if (before === undefined) Deno.env.delete(name);
        else Deno.env.set(name, before);
      }
    });
  }
});
