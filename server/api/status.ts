/** The operation `getStatus`. @module */
import type { Status } from "../../shared/schemas.ts";
import type { CreateOperation } from "./operation.ts";

/** Answers that the service works, and where its documentation is (contract, "Status"). */
export const getStatus: CreateOperation = ({ service, name, urls, limits, now }) => {
  const status: Status = {
    status: "ok",
    service,
    apiVersion: "1",
    environment: name,
    time: "",
    docs: urls.docs,
    openapi: urls.openapi,
  };
  // Only the time in the JSON is written anew. The rest is made once, because monitors call status often.
  const [before, after] = JSON.stringify(status).split('"time":""');
  let moment = NaN;
  let json = "";
  return {
    limit: limits.status,
    body: "none",
    act() {
      const current = now();
      if (current !== moment) {
        moment = current;
        json = `${before}"time":"${new Date(current).toISOString()}"${after}`;
      }
      return { kind: "json", json, isShared: true };
    },
  };
};
