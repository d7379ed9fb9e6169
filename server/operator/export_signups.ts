/** The operation that exports the list. @module */
import { z } from "zod";
import type * as Schemas from "../../shared/operator_schemas.ts";
import {
  dateOrDateTimeSchema,
  dateTimeSchema,
  filterSchemas,
  flagSchema,
  stateSchema,
} from "../../shared/people_query.ts";
import type { Runtime } from "../runtime/mod.ts";
import type { AuditStore } from "../store/audit/mod.ts";
import type { PeopleStore } from "../store/people/mod.ts";
import { type SelfServiceUrls, toExportedSignup, toStoredSignup } from "../waitlist/mod.ts";
import type { Operations } from "./operation.ts";

/** The number of read records after which the export reports its progress, even if no record matched the filter. */
const PROGRESS_EVERY = 20_000;

/** How many characters the address in `after` has at most. No e-mail address is longer (RFC 5321). */
const MAX_AFTER_LENGTH = 254;

const LAST_ADDRESS_RULE = "give the address of the last record that arrived";
const STARTED_AT_RULE = "give the date-time of an export's first line";

const exportSchema: z.ZodType<Schemas.ExportRequest> = z.strictObject({
  lang: filterSchemas.lang,
  state: stateSchema.exactOptional(),
  since: dateOrDateTimeSchema.exactOptional(),
  links: flagSchema.exactOptional(),
  after: z.string(LAST_ADDRESS_RULE).max(MAX_AFTER_LENGTH, LAST_ADDRESS_RULE).exactOptional(),
  startedAt: dateTimeSchema(STARTED_AT_RULE).exactOptional(),
});

interface ExportNeeds
  extends
    Pick<PeopleStore, "readSignUpPages" | "readReferrals" | "countErasuresSince" | "readTotal">,
    Pick<AuditStore, "writeAuditEntry">,
    Pick<Runtime, "now"> {
  selfServiceUrls: Pick<SelfServiceUrls, "placeUrl">;
}

export function exportOperations(needs: ExportNeeds): Pick<Operations, "exportSignups"> {
  return {
    exportSignups: {
      body: exportSchema,
      async act(request, call) {
        const { startedAt: _, after, links, ...filter } = request;
        const details = { ...filter, ...links && { links }, continued: after !== undefined };
        // The audit entry is written first, so that no list leaves the service without an audit entry.
        await needs.writeAuditEntry(call.auditEntry(details));
        return { lines: exportLines(request, needs), total: await needs.readTotal() };
      },
    },
  };
}

type ExportLine =
  | Schemas.ExportStart
  | Schemas.StoredSignup
  | Schemas.ExportUnreadable
  | Schemas.ExportProgress
  | Schemas.ExportEnd;

async function* exportLines(
  { lang, state, since = "", links, after, startedAt }: Schemas.ExportRequest,
  { readSignUpPages, readReferrals, countErasuresSince, now, selfServiceUrls }: ExportNeeds,
): AsyncGenerator<ExportLine[]> {
  const start = startedAt ?? new Date(now()).toISOString();
  yield [{ startedAt: start }];
  let count = 0;
  let scanned = 0;
  for await (const { records, unreadable } of readSignUpPages(after)) {
    const chosen = records.filter(({ record }) =>
      (!lang || record.lang === lang) && (!state || record.state === state) &&
      record.createdAt >= since
    );
    const referrals = await readReferrals(chosen.map(({ record }) => record));
    const lines = chosen.map(({ email, record }, index): ExportLine => {
      const shown = links
        ? toExportedSignup(email, record, selfServiceUrls)
        : toStoredSignup(email, record);
      return { ...shown, ...referrals[index] };
    });
    count += lines.length;
    for (const each of unreadable) lines.push({ unreadable: each });
    scanned += records.length;
    if (scanned % PROGRESS_EVERY < records.length) lines.push({ scanned });
    yield lines;
  }
  yield [{ complete: true, count, erasedMeanwhile: await countErasuresSince(start) }];
}
