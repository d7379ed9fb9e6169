import type { WebhookTest } from "../../../shared/operator_schemas.ts";
import { jsonAnswer } from "../../http/mod.ts";
import type { CreateOperatorOperation } from "../operation.ts";

/** `testWebhook`: sends one event, and says whether it was taken. */
export const testWebhookOperation: CreateOperatorOperation = ({ sendTestEvent }) => ({
  id: "testWebhook",
  method: "POST",
  path: "/operator/v1/webhooks/test",
  body: "none",
  async act() {
    if (!sendTestEvent) {
      const message = "The service sends no events, as WEBHOOK_URL is not set; set it, and start " +
        "the service again.";
      return { failure: "conflict", message };
    }
    const reason = await sendTestEvent();
    const test: WebhookTest = { delivered: reason === undefined, ...reason && { reason } };
    return jsonAnswer(test);
  },
});
