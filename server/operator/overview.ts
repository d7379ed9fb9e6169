import { jsonAnswer } from "../http/respond.ts";
import type { CreateOperatorOperation } from "./operation.ts";

/** `getOverview`: how the waitlist does. */
export const getOverviewOperation: CreateOperatorOperation = ({ store }) => ({
  id: "getOverview",
  method: "GET",
  path: "/operator/v1/overview",
  body: "none",
  act: async () => jsonAnswer(await store.readOverview()),
});
