import { z } from "zod";
import type { Addresses, UndeliverableReport } from "../../../shared/operator_schemas.ts";
import { jsonAnswer } from "../../http/mod.ts";
import { auditEntry, auditEntryOf } from "../audit/mod.ts";
import { addressesInBody } from "./filters.ts";
import { type CreateOperatorOperation, onJson } from "../operation.ts";

const addressesSchema: z.ZodType<Addresses> = z.strictObject({ emails: addressesInBody });

/** `markUndeliverable`: marks addresses to which no letter shall go. */
export const markUndeliverableOperation: CreateOperatorOperation = (dependencies) => ({
  id: "markUndeliverable",
  method: "POST",
  path: "/operator/v1/signups/undeliverable",
  ...onJson(addressesSchema, async ({ emails }, call) => {
    const entry = auditEntry("markUndeliverable", call, dependencies);
    entry.details = { named: emails.length };
    const audit = await auditEntryOf(emails, entry, dependencies);
    const report: UndeliverableReport = { marked: 0, notMarked: [] };
    for await (const addresses of dependencies.store.markUndeliverable(emails, audit)) {
      for (const { email, outcome } of addresses) {
        if (outcome === "marked") report.marked++;
        else report.notMarked.push(email);
      }
    }
    return jsonAnswer(report);
  }),
});
