import type { Overview } from "../../shared/operator_schemas.ts";
import { jsonAnswer } from "../http/mod.ts";
import type { CreateOperatorOperation } from "./operation.ts";

/** `getOverview`: how the waitlist does. */
export const getOverviewOperation: CreateOperatorOperation = (
  { store, warnings, sendsLetters },
) => ({
  id: "getOverview",
  method: "GET",
  path: "/operator/v1/overview",
  body: "none",
  async act() {
    const overview: Overview = { ...await store.readOverview(), sendsLetters, warnings };
    return jsonAnswer(overview);
  },
});
