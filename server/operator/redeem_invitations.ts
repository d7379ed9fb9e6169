/**
 * The operations on one invitation, which is found by its code. The product checks and redeems an invitation when a
 * person signs up in the product. An operator renews it. @module
 */
import { z } from "zod";
import document from "../../shared/generated/operator.json" with { type: "json" };
import type * as Schemas from "../../shared/operator_schemas.ts";
import { addressSchema } from "../../shared/people_query.ts";
import type { Runtime } from "../runtime/mod.ts";
import type { InvitationOutcome, WaveStore } from "../store/invitations/mod.ts";
import type { AddressedRecord } from "../store/people/mod.ts";
import { redeemInvitation, renewInvitation } from "../waitlist/mod.ts";
import type { OperatorFailure } from "./failure.ts";
import {
  boundedTextSchema,
  expiresSchema,
  pastExpiryFailure,
  storableTextSchema,
} from "./fields.ts";
import type { Operations, OperatorCall } from "./operation.ts";

const { reference: referenceProperty } =
  document.components.schemas.InvitationRedemption.properties;

const REFERENCE_RULE =
  "give the product's id of the account, 1 to 200 characters without control characters";

/** The members by which an invitation is found. */
const findSchemas = {
  code: boundedTextSchema(100, "give the code of an invitation, 1 to 100 characters"),
  email: addressSchema.exactOptional(),
};

const checkSchema: z.ZodType<Schemas.InvitationCheck> = z.strictObject(findSchemas);

const redeemSchema: z.ZodType<Schemas.InvitationRedemption> = z.strictObject({
  ...findSchemas,
  reference: storableTextSchema(referenceProperty.pattern, REFERENCE_RULE),
});

const renewSchema: z.ZodType<Schemas.InvitationRenewal> = z.strictObject({
  ...findSchemas,
  expires: expiresSchema,
});

/** The failures of refused calls, by the reason of the refusal. */
const REFUSAL_FAILURES: Record<
  Extract<InvitationOutcome, { refused: string }>["refused"],
  OperatorFailure
> = {
  unknown: {
    failure: "unknown",
    message: "No invitation has this code, or it is for another address; check both.",
  },
  ambiguous: {
    failure: "conflict",
    message: "Imports have given this code to several people; give the person's 'email', too.",
  },
  used: {
    failure: "conflict",
    message:
      "The code was redeemed before, with another 'reference'; each code is good for one account.",
  },
  expired: {
    failure: "expired",
    message: "The time to use this code is over; an operator can renew the invitation.",
  },
};

interface RedeemingNeeds extends Pick<WaveStore, "changeInvitation">, Pick<Runtime, "now"> {}

type RedeemingOperations = Pick<
  Operations,
  "checkInvitation" | "redeemInvitation" | "renewInvitation"
>;

/** Makes the operations on one invitation. */
export function redeemingOperations(
  { changeInvitation, now }: RedeemingNeeds,
): RedeemingOperations {
  const dateTimeNow = () => new Date(now()).toISOString();

  /** Finds an invitation by a change that leaves the record as it is. */
  const findInvitation = (codeAndEmail: Schemas.InvitationCheck) =>
    changeInvitation(codeAndEmail, (record) => ({ record }));

  /** Changes an invitation. The person is found first, because the audit entry has the hash of the person's address. */
  async function changeWithAudit(
    codeAndEmail: Schemas.InvitationCheck,
    call: OperatorCall,
    decide: Parameters<WaveStore["changeInvitation"]>[1],
  ) {
    const findOutcome = await findInvitation(codeAndEmail);
    if ("refused" in findOutcome) return describeOutcome(findOutcome);
    const { email } = findOutcome;
    const entry = await call.auditEntryAbout([email]);
    return describeOutcome(await changeInvitation({ ...codeAndEmail, email }, decide, entry));
  }

  return {
    checkInvitation: {
      body: checkSchema,
      act: async (codeAndEmail) => describeOutcome(await findInvitation(codeAndEmail)),
    },

    redeemInvitation: {
      body: redeemSchema,
      act: ({ reference, ...codeAndEmail }, call) =>
        changeWithAudit(codeAndEmail, call, (record) => {
          return redeemInvitation(record, { at: dateTimeNow(), reference });
        }),
    },

    renewInvitation: {
      body: renewSchema,
      act({ expires, ...codeAndEmail }, call) {
        if (Date.parse(expires) <= now()) return pastExpiryFailure(expires);
        const renewal = { at: dateTimeNow(), expiresAt: expires };
        return changeWithAudit(codeAndEmail, call, (record) => renewInvitation(record, renewal));
      },
    },
  };
}

/** Describes a found or changed invitation; gives the failure of a refused call. */
function describeOutcome(outcome: InvitationOutcome): Schemas.Invitation | OperatorFailure {
  return "refused" in outcome ? REFUSAL_FAILURES[outcome.refused] : describeInvitation(outcome);
}

/** Describes the invitation of a person who is invited or has accepted. */
export function describeInvitation({ email, record }: AddressedRecord): Schemas.Invitation {
  const { state, lang, invitedAt = record.updatedAt, expiresAt, acceptedAt, reference } = record;
  return {
    state: state === "accepted" ? state : "invited",
    email,
    lang,
    invitedAt,
    ...expiresAt && { expiresAt },
    ...acceptedAt && { acceptedAt },
    ...reference && { reference },
  };
}
