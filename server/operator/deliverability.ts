/** The operations that mark addresses as undeliverable, and that make addresses deliverable again. @module */
import { z } from "zod";
import document from "../../shared/generated/operator.json" with { type: "json" };
import type * as Schemas from "../../shared/operator_schemas.ts";
import type { PeopleStore } from "../store/people/mod.ts";
import { addressesSchema, storableTextSchema } from "./fields.ts";
import type { Operations } from "./operation.ts";

const { reason: reasonProperty } = document.components.schemas.Addresses.properties;

const REASON_RULE = "give 1 to 200 characters without '@' and without control characters";

const addressesBodySchema: z.ZodType<Schemas.Addresses> = z.strictObject({
  emails: addressesSchema,
  reason: storableTextSchema(reasonProperty.pattern, REASON_RULE).exactOptional(),
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
        const entry = call.auditEntry(detailsOf(body));
        const report: Schemas.UndeliverableReport = { marked: 0, notMarked: [] };
        for await (const outcomes of store.markUndeliverable(body.emails, entry)) {
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
        const entry = call.auditEntry(detailsOf(body));
        const report: Schemas.DeliverableReport = { lifted: 0, notLifted: [] };
        for await (const { email, outcome } of store.markDeliverable(body.emails, entry)) {
          if (outcome === "changed" || outcome === "unchanged") report.lifted++;
          else report.notLifted.push(email);
        }
        return report;
      },
    },
  };
}
