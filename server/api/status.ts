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
  const [jsonBeforeTime, jsonAfterTime] = JSON.stringify(status).split('"time":""');
  let lastMoment = NaN;
  let json = "";
  return {
    limit: limits.status,
    body: "none",
    act() {
      const moment = now();
      if (moment !== lastMoment) {
        lastMoment = moment;
        json = `${jsonBeforeTime}"time":"${new Date(moment).toISOString()}"${jsonAfterTime}`;
      }
      return { kind: "json", json, isShared: true };
    },
  };
};
