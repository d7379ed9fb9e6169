/** The operations that mark addresses as undeliverable, and that make addresses deliverable again. @module */
import { z } from "zod";
import document from "../../shared/generated/operator.json" with { type: "json" };
import type * as Schemas from "../../shared/operator_schemas.ts";
import type { PeopleStore } from "../store/people/mod.ts";
import { addressesSchema } from "./fields.ts";
import type { Operations } from "./operation.ts";

const REASON_RULE = "give 1 to 200 characters without '@' and without control characters";

/** The pattern of a reason, as the OpenAPI document has it. */
const REASON_PATTERN = new RegExp(
  document.components.schemas.Addresses.properties.reason.pattern,
  "u",
);

const addressesBodySchema: z.ZodType<Schemas.Addresses> = z.strictObject({
  emails: addressesSchema,
  reason: z.string(REASON_RULE).regex(REASON_PATTERN, REASON_RULE)
    // `isWellFormed()` refuses half a surrogate pair, which PostgreSQL does not store. The pattern cannot refuse it,
    // because the same pattern must work in all programming languages.
    .refine((text) => text.isWellFormed(), REASON_RULE).exactOptional(),
});

/** Makes the details of the audit entries about the addresses. `named` is the number of addresses in the call. */
const detailsOf = ({ emails, reason }: Schemas.Addresses) => ({
  named: emails.length,
  ...reason !== undefined && { reason },
});

/** The operation that marks addresses as undeliverable, and the operation that makes them deliverable again. */
export function deliverabilityOperations(
  store: Pick<PeopleStore, "markUndeliverable" | "markDeliverable">,
): Pick<Operations, "markUndeliverable" | "markDeliverable"> {
  return {
    /** Marks addresses as undeliverable, so that no letters go to them. */
    markUndeliverable: {
      body: addressesBodySchema,
      async act(body, call) {
        const audit = call.auditEntry(detailsOf(body));
        const report: Schemas.UndeliverableReport = { marked: 0, notMarked: [] };
        for await (const outcomes of store.markUndeliverable(body.emails, audit)) {
          for (const { email, outcome } of outcomes) {
            if (outcome === "marked") report.marked++;
            else report.notMarked.push(email);
          }
        }
        return report;
      },
    },

    /** Allows letters to addresses again, after a bounce, a complaint or a mark as undeliverable by an operator. */
    markDeliverable: {
      body: addressesBodySchema,
      async act(body, call) {
        const audit = call.auditEntry(detailsOf(body));
        const report: Schemas.DeliverableReport = { lifted: 0, notLifted: [] };
        for await (const { email, outcome } of store.markDeliverable(body.emails, audit)) {
          if (outcome === "changed" || outcome === "unchanged") report.lifted++;
          else report.notLifted.push(email);
        }
        return report;
      },
    },
  };
}
