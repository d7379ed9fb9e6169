/**
 * The operations on saved filters. An operator saves filters of the list of people in order to use them again. @module
 */
import { z } from "zod";
import type * as Schemas from "../../shared/operator_schemas.ts";
import { orderSchema, savedSelectionSchema } from "../../shared/people_query.ts";
import { quote } from "../runtime/mod.ts";
import type { FilterStore } from "../store/operators/mod.ts";
import type { Operations } from "./operation.ts";

const MAX_NAME_LENGTH = 60;
const NAME_RULE = `give it 1 to ${MAX_NAME_LENGTH} characters without '@', not only spaces`;
// A name with `@` is refused, because it may be a person's address, which would stay here after the person's erasure.
const nameSchema = z.string(NAME_RULE).max(MAX_NAME_LENGTH, NAME_RULE).regex(/\S/, NAME_RULE)
  .regex(/^[^@]*$/, NAME_RULE);

const filterSchema: z.ZodType<Schemas.SavedFilter> = z.strictObject({
  name: nameSchema,
  selection: savedSelectionSchema,
  order: orderSchema.exactOptional(),
});

const removalSchema: z.ZodType<Schemas.FilterName> = z.strictObject({ name: nameSchema });

/** Makes the operations on saved filters. */
export function filterOperations(
  { listFilters, saveFilter, removeFilter }: FilterStore,
): Pick<Operations, "listFilters" | "saveFilter" | "removeFilter"> {
  return {
    listFilters: {
      act: async (_, { operator }) => ({ filters: await listFilters(operator.name) }),
    },

    saveFilter: {
      body: filterSchema,
      async act(filter, call) {
        const filters = await saveFilter(call.operator.name, filter, call.auditEntry());
        if (filters) return { filters };
        const message = "You have saved 50 filters; remove one of them first.";
        return { failure: "conflict", message };
      },
    },

    removeFilter: {
      body: removalSchema,
      async act({ name }, call) {
        const filters = await removeFilter(call.operator.name, name, call.auditEntry());
        if (filters) return { filters };
        const message = `You have saved no filter ${quote(name)}; see the list of filters.`;
        return { failure: "unknown", message };
      },
    },
  };
}
