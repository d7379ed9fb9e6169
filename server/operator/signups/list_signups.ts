import { z } from "zod";
import type { ListRequest, SignupPage } from "../../../shared/operator_schemas.ts";
import { jsonAnswer } from "../../http/mod.ts";
import { addressInBody, filterInBody, stateInBody } from "./filters.ts";
import { inUtc } from "../date_fields.ts";
import { type CreateOperatorOperation, onJson } from "../operation.ts";
import { toExportedSignup, toStoredSignup } from "../../waitlist/mod.ts";

const search = "give 1 to 254 characters, the beginning of an address";
const limit = "give a whole number from 1 to 500";
const badNext = "give the 'next' of the page before it";

/** How many people a page has unless the request says otherwise. */
const LISTED = 50;

const listSchema: z.ZodType<ListRequest> = z.strictObject({
  state: stateInBody.exactOptional(),
  search: z.string(search).min(1, search).max(254, search).exactOptional(),
  ...filterInBody,
  newest: z.boolean("give true or false").exactOptional(),
  withPlaceUrl: z.boolean("give true or false").exactOptional(),
  limit: z.int(limit).min(1, limit).max(500, limit).exactOptional(),
  after: z.strictObject({
    createdAt: z.iso.datetime({ offset: true, error: badNext }).transform(inUtc),
    email: addressInBody,
  }, badNext).exactOptional(),
});

/** `listSignups`: lists people page by page. */
export const listSignupsOperation: CreateOperatorOperation = ({ store, selfServiceUrls }) => ({
  id: "listSignups",
  method: "POST",
  path: "/operator/v1/signups/list",
  ...onJson(listSchema, async (request) => {
    const { state, search, newest, withPlaceUrl = true, limit = LISTED, after, ...filter } =
      request;
    if (search !== undefined && newest) {
      const message = "Fields 'search' and 'newest' exclude each other; leave one out.";
      return { failure: "invalid_request", message };
    }
    const query = { state, search: search?.toLowerCase(), newest, limit, after, filter };
    const { people, next } = await store.listPeople(query);
    const page: SignupPage = {
      people: people.map(({ email, record }) =>
        withPlaceUrl
          ? toExportedSignup(email, record, selfServiceUrls)
          : toStoredSignup(email, record)
      ),
      ...next && { next },
    };
    return jsonAnswer(page);
  }),
});
