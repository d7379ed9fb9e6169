/**
 * `waitlist webhooks`: sends a test event, lists the last deliveries, and sends an event again.
 *
 * @module
 */
import { quotable } from "../../shared/api_failure.ts";
import type { ListedDelivery } from "../../shared/operator_schemas.ts";
import { defineCommand, parseNoOptions } from "../command.ts";
import { EXIT } from "../errors.ts";
import { formatMinute, formatTable } from "../format.ts";
import { OPERATOR_ACCESS } from "../operator/client.ts";
import { createProgress } from "../operator/progress.ts";
import { runLongWork } from "../operator/run_long_work.ts";

/**
 * The shortest time limit of the call that sends a test event, in milliseconds. The service itself waits for the
 * receiver for a slightly shorter time.
 */
const TEST_TIMEOUT_MS = 20_000;

/** How many characters of a text, such as the receiver's answer, are shown at most. */
const MAX_TEXT_LENGTH = 300;

const HEADING = ["Id", "Event", "About", "When (UTC)", "Status", "Took", "Answer"];

const testCommand = defineCommand({
  access: OPERATOR_ACCESS,
  examples: [["waitlist webhooks test", "exit code 1 if the receiver does not accept it"]],
  parse: parseNoOptions,
  async run(_options, { connect, print }) {
    const options = { minTimeoutMs: TEST_TIMEOUT_MS };
    const delivery = await (await connect()).call("testWebhook", {}, options);
    const { delivered, reason = "", status, ms } = delivery;
    const shownReason = quotable(reason, MAX_TEXT_LENGTH);
    return print({
      json: delivery,
      text: () =>
        delivered
          ? `The receiver accepted the event with HTTP ${status} after ${ms} ms.\n`
          : `The receiver did not accept the event, because of the error '${shownReason}'. ` +
            "Check the service's WEBHOOK_URL and the receiver at this URL.\n",
      exitCode: delivered ? EXIT.fine : EXIT.failedCheck,
    });
  },
});

const deliveriesCommand = defineCommand({
  access: OPERATOR_ACCESS,
  examples: [
    ["waitlist webhooks deliveries", "the last tries, the newest first"],
    ["waitlist webhooks deliveries --quiet", "only the ids, for 'webhooks resend'"],
  ],
  parse: parseNoOptions,
  async run(_options, { connect, print }) {
    const answer = await (await connect()).call("listDeliveries", {});
    const { deliveries } = answer;
    return print({
      json: answer,
      text: (style) =>
        deliveries.length === 0
          ? "No event was sent yet.\n"
          : formatTable(HEADING, deliveries.map(toRow), style, {
            mayDrop: ["Took"],
            mayShorten: ["Answer"],
          }),
      quiet: deliveries.map(({ id }) => `${id}\n`).join(""),
    });
  },
});

function toRow({ id, event, email = "-", at, status, ms, answer }: ListedDelivery): string[] {
  return [id, event, email, formatMinute(at), String(status ?? "none"), `${ms} ms`, answer]
    .map((text) => quotable(text, MAX_TEXT_LENGTH));
}

const resendCommand = defineCommand({
  access: OPERATOR_ACCESS,
  resumeAdvice: "to go on, run the same command again",
  examples: [[
    "waitlist webhooks resend 0m1abc2defGhIjKlMnOpQrStUvWxYz",
    "sends it with the same webhook-id",
  ]],
  declare: (command) => {
    command.argument("<id>", "the id of the event, as 'webhooks deliveries' shows it");
  },
  parse: ({ args: [id = ""] }) => ({ id }),
  async run({ id }, { context, settings, connect, print }) {
    const client = await connect();
    // The command first looks for the id among the deliveries of events, because `retryOutbox` also accepts the id of a
    // letter, and would send the letter.
    const { deliveries } = await client.call("listDeliveries", {});
    if (!deliveries.some((delivery) => delivery.id === id)) {
      return print({
        json: { resent: false },
        text: () =>
          "The event is not sent again: 'waitlist webhooks deliveries' lists no event with this id. " +
          "To send an e-mail, or an event that is not in this list, run 'waitlist outbox retry'.\n",
        exitCode: EXIT.failedCheck,
      });
    }
    const progress = createProgress(context, settings);
    const body = { ids: [id] };
    const { retried } = await runLongWork("retryOutbox", { body }, { client, progress });
    const isResent = retried === 1;
    return print({
      json: { resent: isResent },
      text: () =>
        isResent
          ? "The service sends the event now; 'waitlist webhooks deliveries' shows the answer.\n"
          : "The event is not sent again, for one of three reasons: the service has no event with this id, the person in " +
            "the event has left the list, or the service is sending the event at this moment.\n",
      exitCode: isResent ? EXIT.fine : EXIT.failedCheck,
    });
  },
});

export default { test: testCommand, deliveries: deliveriesCommand, resend: resendCommand };
