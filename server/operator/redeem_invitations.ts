/** The operations on one invitation by its code, which the product calls when somebody signs up there. @module */
import { z } from "zod";
import type * as Schemas from "../../shared/operator_schemas.ts";
import { type Call, jsonAnswer } from "../http/mod.ts";
import type { InvitationOutcome } from "../store/invitations/mod.ts";
import { redeemInvitation, renewInvitation } from "../waitlist/mod.ts";
import { auditEntryOf } from "./audit.ts";
import type { OperatorFailure } from "./failure.ts";
import { addressInBody, expiresInBody, notAhead, textInBody } from "./fields.ts";
import { onJson, type OperatorDependencies } from "./operation.ts";

const reference =
  "give the product's id of the account, 1 to 200 characters without control characters";

const named = {
  code: textInBody(100, "give the code of an invitation, 1 to 100 characters"),
  email: addressInBody.exactOptional(),
};

const checkSchema: z.ZodType<Schemas.InvitationCheck> = z.strictObject(named);

const redeemSchema: z.ZodType<Schemas.InvitationRedemption> = z.strictObject({
  ...named,
  reference: z.string(reference).regex(/^[^\p{C}\p{Zl}\p{Zp}]{1,200}$/u, reference),
});

const renewSchema: z.ZodType<Schemas.InvitationRenewal> = z.strictObject({
  ...named,
  expires: expiresInBody,
});

export function redeemingOperations(dependencies: OperatorDependencies) {
  const { store, now } = dependencies;
  const at = () => new Date(now()).toISOString();
  const find = (name: Schemas.InvitationCheck) =>
    store.changeInvitation(name, (record) => ({ record }));

  /** Finds the person first, whom the entry of the audit log names. */
  async function change(
    name: Schemas.InvitationCheck,
    call: Call,
    decide: Parameters<typeof store.changeInvitation>[1],
  ) {
    const found = await find(name);
    if ("refused" in found) return describe(found);
    const { email } = found;
    const audit = await auditEntryOf([email], call, dependencies);
    return describe(await store.changeInvitation({ ...name, email }, decide, audit));
  }

  return {
    checkInvitation: onJson(checkSchema, async (name) => describe(await find(name))),

    redeemInvitation: onJson(
      redeemSchema,
      ({ reference, ...name }, call) =>
        change(name, call, (record) => redeemInvitation(record, { at: at(), reference })),
    ),

    renewInvitation: onJson(renewSchema, ({ expires, ...name }, call) => {
      if (Date.parse(expires) <= now()) return notAhead(expires);
      return change(
        name,
        call,
        (record) => renewInvitation(record, { at: at(), expiresAt: expires }),
      );
    }),
  };
}

function describe(outcome: InvitationOutcome) {
  if ("refused" in outcome) return REFUSALS[outcome.refused];
  const { email, record } = outcome;
  const { state, lang, invitedAt = record.updatedAt, expiresAt, acceptedAt, reference } = record;
  return jsonAnswer<Schemas.Invitation>({
    state: state === "accepted" ? state : "invited",
    email,
    lang,
    invitedAt,
    ...expiresAt && { expiresAt },
    ...acceptedAt && { acceptedAt },
    ...reference && { reference },
  });
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
