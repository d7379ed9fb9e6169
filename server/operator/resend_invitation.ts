/** The operation that sends the invitation again to one person. @module */
import type { ResendRefusal, WaveStore } from "../store/invitations/mod.ts";
import type { PeopleStore } from "../store/people/mod.ts";
import {
  type OperatorFailure,
  switchedOffFailure,
  unknownAddressFailure,
  UNREADABLE_MESSAGE,
} from "./failure.ts";
import { addressBodySchema } from "./fields.ts";
import type { Operations } from "./operation.ts";
import { describeInvitation } from "./redeem_invitations.ts";

/** The messages of refused calls, by the reason of the refusal. `unknown` and `expired` have other error codes. */
const REFUSAL_MESSAGES: Record<Exclude<ResendRefusal, "unknown" | "expired">, string> = {
  unconfirmed:
    "The person has not confirmed; 'signups remind' asks again to confirm, and 'signups invite' invites later.",
  waiting: "The person is not invited yet; invite the person with 'signups invite'.",
  accepted: "The person has accepted the invitation, so there is nothing to send.",
  undeliverable:
    "The address is marked as undeliverable; lift that with 'signups deliverable' first.",
  complained:
    "The mailbox has reported an e-mail as spam; lift that with 'signups deliverable' first.",
  unreadable: UNREADABLE_MESSAGE,
  in_outbox: "The invitation still waits in the outbox; see 'outbox list'.",
  no_link:
    "The service does not know the link of this invitation, because the wave is not in its " +
    "store; write to the person yourself.",
  no_letters: "The wave sends no e-mails; write to the person yourself, with the link from " +
    "'waves people'.",
  paused: "The wave is paused and sends no e-mails; resume it with 'waves resume' first.",
  cancelled: "The wave is cancelled and sends no e-mails any more; write to the person yourself, " +
    "with the link from 'waves people'.",
};

const EXPIRED_FAILURE: OperatorFailure = {
  failure: "expired",
  message: "The invitation has expired; renew it with 'invitations renew', then send it again.",
};

interface ResendingNeeds
  extends Pick<WaveStore, "resendInvitation">, Pick<PeopleStore, "sendsLetters"> {}

/** Makes the operation that sends an invitation again. */
export function resendingOperations(
  { resendInvitation, sendsLetters }: ResendingNeeds,
): Pick<Operations, "resendInvitation"> {
  return {
    resendInvitation: {
      body: addressBodySchema,
      async act({ email }, call) {
        if (!sendsLetters) return switchedOffFailure("e-mails", "MAIL_URL");
        const outcome = await resendInvitation(email, await call.auditEntryAbout([email]));
        if ("record" in outcome) return describeInvitation(outcome);
        if ("refusedUntil" in outcome) return tooEarlyFailure(outcome.refusedUntil);
        return failureOf(outcome.refused);
      },
    },
  };
}

/** Makes the failure of a call within the day after the last letter. @param until the end of this day, a date-time */
function tooEarlyFailure(until: string): OperatorFailure {
  const message =
    `An invitation e-mail goes to a person once in 24 hours; send it again from ${until}. 'outbox retry' tries a ` +
    "refused e-mail again at once.";
  return { failure: "conflict", message };
}

/** Makes the failure of a call that is refused whatever the time. */
function failureOf(refusal: ResendRefusal): OperatorFailure {
  if (refusal === "unknown") return unknownAddressFailure();
  if (refusal === "expired") return EXPIRED_FAILURE;
  return { failure: "conflict", message: REFUSAL_MESSAGES[refusal] };
}
