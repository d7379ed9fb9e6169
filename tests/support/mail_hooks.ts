/** Calls of mail providers, and what the service makes of them. @module */
import assert from "node:assert/strict";
import { Webhook } from "standardwebhooks";
import { type OperatedService, startOperatedService } from "./operator.ts";
import { json, START, WITH_MAIL } from "./service.ts";
import signed from "./signed_hooks.json" with { type: "json" };

export const SECRET = `whsec_${btoa("a secret of more than 24 bytes..")}`;
export const ADA = "ada@example.com";
export const DAY = 24 * 60 * 60 * 1000;

export const start = (MAIL_HOOK: string) => startOperatedService({ ...WITH_MAIL, MAIL_HOOK });

export const join = (service: OperatedService, email = ADA) =>
  service.request("/api/v1/waitlist", json({ email, consent: true }));

interface Sent {
  id?: string;
  at?: number;
  prefix?: string;
  secret?: string;
}

/** Signs a payload as Standard Webhooks has it, with the standard's own package. */
export function sign(
  payload: unknown,
  { id = "msg_1", at = START, prefix = "webhook", secret = SECRET }: Sent = {},
) {
  const body = JSON.stringify(payload);
  const headers = {
    "Content-Type": "application/json",
    [`${prefix}-id`]: id,
    [`${prefix}-timestamp`]: String(Math.floor(at / 1000)),
    [`${prefix}-signature`]: new Webhook(secret).sign(id, new Date(at), body),
  };
  return { method: "POST", headers, body };
}

export const moment = (at: number) => new Date(at).toISOString();

export const report = (type: string, data: object = {}, at = START) => ({
  type,
  timestamp: moment(at),
  data: { email: ADA, permanent: true, reason: `550 5.1.1 <${ADA}> is unknown`, ...data },
});

export const post = async (service: OperatedService, name: string, init: RequestInit) =>
  (await service.request(`/hooks/mail/${name}`, init)).status;

/** Reports an e-mail as the provider of the hook `generic` does, now. @param type such as `mail.bounced` */
export async function reportLetter(
  service: OperatedService,
  type: string,
  email: string,
): Promise<void> {
  const at = service.clock.now;
  const signed = sign(report(type, { email }, at), { id: `${type} ${email} ${at}`, at });
  assert.equal(await post(service, "generic", signed), 200);
}

export const auditOf = async ({ operate }: OperatedService) =>
  (await (await operate("/audit")).text()).split("\n").slice(0, -2).map((line) => JSON.parse(line));

/**
 * A call of Mailgun: a permanent failure, unless `more` has other members.
 * https://documentation.mailgun.com/docs/mailgun/user-manual/events/events
 */
export const mailgunned = (more: object, signature: object = signed.mailgun) => ({
  signature,
  "event-data": {
    id: "G9Bn5sl1TC6nu79C8C0bwg",
    event: "failed",
    severity: "permanent",
    timestamp: START / 1000,
    recipient: ADA,
    reason: "suppress-bounce",
    "delivery-status": {
      code: 605,
      message: "",
      description: "Not delivering to previously bounced address",
    },
    message: { headers: { "message-id": "20130503192659.13651.20287@mg.example.com" } },
    ...more,
  },
});
