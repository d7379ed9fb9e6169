import { quotable } from "../../shared/api_failure.ts";
import { defineCommand } from "../command.ts";
import { EXIT } from "../errors.ts";
import { OPERATOR } from "../operator/client.ts";

/** How long the service waits for the receiver of an event, and a little more, in milliseconds. */
const TAKES_MS = 20_000;

/** `waitlist webhooks test`: has the service send one event. */
const test = defineCommand({
  access: OPERATOR,
  examples: [["waitlist webhooks test", "exit code 1 if the event was not taken"]],
  parse: () => undefined,
  async run(_options, { connect, print }) {
    const result = await (await connect()).call("testWebhook", {}, { takes: TAKES_MS });
    const { delivered, reason = "" } = result;
    return print({
      json: result,
      text: () =>
        delivered
          ? "The event was taken.\n"
          : `The event was not taken: ${
            quotable(reason, 300)
          }. Check WEBHOOK_URL and what runs there.\n`,
      exitCode: delivered ? EXIT.fine : EXIT.failedCheck,
    });
  },
});

export default { test };
