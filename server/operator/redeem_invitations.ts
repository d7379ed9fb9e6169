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
import { redeemInvitation, renewInvitation } from "../waitlist/mod.ts";
import type { OperatorFailure } from "./failure.ts";
import { boundedTextSchema, expiresSchema, pastExpiryFailure } from "./fields.ts";
import type { Operations, OperatorCall } from "./operation.ts";

/** The pattern of a reference, as the OpenAPI document has it. */
const REFERENCE = new RegExp(
  document.components.schemas.InvitationRedemption.properties.reference.pattern,
  "u",
);

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
  reference: z.string(REFERENCE_RULE).regex(REFERENCE, REFERENCE_RULE)
    // `isWellFormed()` refuses half a surrogate pair, which PostgreSQL does not store. The pattern cannot refuse it,
    // because the same pattern must work in all programming languages.
    .refine((text) => text.isWellFormed(), REFERENCE_RULE),
});

const renewSchema: z.ZodType<Schemas.InvitationRenewal> = z.strictObject({
  ...findSchemas,
  expires: expiresSchema,
});

interface RedeemingNeeds extends Pick<WaveStore, "changeInvitation">, Pick<Runtime, "now"> {}

type RedeemingOperations = Pick<
  Operations,
  "checkInvitation" | "redeemInvitation" | "renewInvitation"
>;

export function redeemingOperations(
  { changeInvitation, now }: RedeemingNeeds,
): RedeemingOperations {
  const dateTimeNow = () => new Date(now()).toISOString();
  const find = (wanted: Schemas.InvitationCheck) =>
    changeInvitation(wanted, (record) => ({ record }));

  /** Changes an invitation. The person is found first, because the audit entry has the hash of the person's address. */
  async function change(
    wanted: Schemas.InvitationCheck,
    call: OperatorCall,
    decide: Parameters<WaveStore["changeInvitation"]>[1],
  ) {
    const found = await find(wanted);
    if ("refused" in found) return describe(found);
    const { email } = found;
    const audit = await call.auditEntryOf([email]);
    return describe(await changeInvitation({ ...wanted, email }, decide, audit));
  }

  return {
    checkInvitation: {
      body: checkSchema,
      act: async (wanted) => describe(await find(wanted)),
    },

    redeemInvitation: {
      body: redeemSchema,
      act: ({ reference, ...wanted }, call) =>
        change(
          wanted,
          call,
          (record) => redeemInvitation(record, { at: dateTimeNow(), reference }),
        ),
    },

    renewInvitation: {
      body: renewSchema,
      act({ expires, ...wanted }, call) {
        if (Date.parse(expires) <= now()) return pastExpiryFailure(expires);
        const renew = { at: dateTimeNow(), expiresAt: expires };
        return change(wanted, call, (record) => renewInvitation(record, renew));
      },
    },
  };
}

function describe(outcome: InvitationOutcome): Schemas.Invitation | OperatorFailure {
  if ("refused" in outcome) return REFUSALS[outcome.refused];
  const { email, record } = outcome;
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

const REFUSALS: Record<
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
