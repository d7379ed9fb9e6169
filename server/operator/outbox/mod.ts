/**
 * The operator's operations on the outbox and the webhook.
 *
 * @module
 */
export { listOutboxOperation, retryOutboxOperation } from "./outbox.ts";
export { testWebhookOperation } from "./webhooks_test_event.ts";
