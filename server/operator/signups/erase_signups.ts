import { z } from "zod";
import type {
  AuditEntry,
  Progress,
  StateErasure,
  StateErasureEnd,
} from "../../../shared/operator_schemas.ts";
import { auditEntry } from "../audit/mod.ts";
import { stateInBody } from "./filters.ts";
import { dateOrDateTime } from "../date_fields.ts";
import { type CreateOperatorOperation, onJson, type OperatorDependencies } from "../operation.ts";

const erasureSchema: z.ZodType<StateErasure> = z.strictObject({
  state: stateInBody,
  before: dateOrDateTime,
  dryRun: z.boolean("give true or false").exactOptional(),
});

/** `eraseSignups`: erases people by state and age. */
export const eraseSignupsOperation: CreateOperatorOperation = (dependencies) => ({
  id: "eraseSignups",
  method: "POST",
  path: "/operator/v1/signups/erase-by-state",
  ...onJson(erasureSchema, (request, call) => {
    const audit = auditEntry("eraseSignups", call, dependencies);
    audit.details = { state: request.state, before: request.before };
    return { lines: erasureLines(request, audit, dependencies) };
  }),
});

async function* erasureLines(
  { state, before, dryRun }: StateErasure,
  audit: AuditEntry,
  { store }: OperatorDependencies,
): AsyncGenerator<[Progress] | [StateErasureEnd]> {
  const selection = { state, before };
  let erased = 0;
  const work = dryRun ? store.countPeople(selection) : store.erasePeople(selection, audit);
  for await (const count of work) {
    erased += count;
    audit.details = { ...selection, erased };
    yield [{ progress: erased }];
  }
  if (!dryRun && erased > 0) {
    await store.writeAuditEntry({ ...audit, details: { ...selection, erased, complete: true } });
  }
  yield [{ complete: true, erased }];
}
