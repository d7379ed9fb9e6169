/** The operations on what keeps letters from addresses: bounces that operators note, and lifting any of it. @module */
import { z } from "zod";
import type * as Schemas from "../../shared/operator_schemas.ts";
import { jsonAnswer } from "../http/mod.ts";
import { auditEntryOf } from "./audit.ts";
import { addressesInBody } from "./fields.ts";
import { onJson, type OperatorDependencies } from "./operation.ts";

const addressesSchema: z.ZodType<Schemas.Addresses> = z.strictObject({ emails: addressesInBody });

export function mailMarkOperations(dependencies: OperatorDependencies) {
  const { store } = dependencies;
  return {
    markUndeliverable: onJson(addressesSchema, async ({ emails }, call) => {
      const audit = await auditEntryOf(emails, call, dependencies, { named: emails.length });
      const report: Schemas.UndeliverableReport = { marked: 0, notMarked: [] };
      for await (const addresses of store.markUndeliverable(emails, audit)) {
        for (const { email, outcome } of addresses) {
          if (outcome === "marked") report.marked++;
          else report.notMarked.push(email);
        }
      }
      return jsonAnswer(report);
    }),

    /** Lets letters go to addresses again, whatever was reported before. */
    markDeliverable: onJson(addressesSchema, async ({ emails }, call) => {
      const audit = await auditEntryOf(emails, call, dependencies, { named: emails.length });
      const report: Schemas.DeliverableReport = { lifted: 0, notLifted: [] };
      for await (const { email, outcome } of store.markDeliverable(emails, audit)) {
        if (outcome === "changed" || outcome === "unchanged") report.lifted++;
        else report.notLifted.push(email);
      }
      return jsonAnswer(report);
    }),
  };
}
