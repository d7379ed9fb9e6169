/** The operation that exports the waitlist. @module */
import { z } from "zod";
import type * as Schemas from "../../shared/operator_schemas.ts";
import { dateTimeSchema, flagSchema, selectionSchemas } from "../../shared/people_query.ts";
import type { Runtime } from "../runtime/mod.ts";
import type { AuditStore } from "../store/audit/mod.ts";
import type { PeopleStore } from "../store/people/mod.ts";
import {
  fitsSelection,
  type SelfServiceUrls,
  toOperatorSignup,
  toOperatorSignupWithLink,
} from "../waitlist/mod.ts";
import type { Operations } from "./operation.ts";

/**
 * After how many records the export writes a line with its progress. Records that do not fit the selection count too.
 */
const PROGRESS_EVERY = 20_000;

/** How many characters the address in `after` has at most. No e-mail address is longer (RFC 5321). */
const MAX_EMAIL_LENGTH = 254;

const LAST_ADDRESS_RULE = "give the address of the last record that arrived";
const STARTED_AT_RULE = "give the date-time of an export's first line";

const exportSchema: z.ZodType<Schemas.ExportRequest> = z.strictObject({
  ...selectionSchemas,
  links: flagSchema.exactOptional(),
  after: z.string(LAST_ADDRESS_RULE).max(MAX_EMAIL_LENGTH, LAST_ADDRESS_RULE).exactOptional(),
  startedAt: dateTimeSchema(STARTED_AT_RULE).exactOptional(),
});

interface ExportNeeds
  extends
    Pick<PeopleStore, "readSignUpPages" | "readReferrals" | "countErasuresSince" | "readTotal">,
    Pick<AuditStore, "writeAuditEntry">,
    Pick<Runtime, "now"> {
  selfServiceUrls: Pick<SelfServiceUrls, "pageUrl">;
}

/** Makes the operation that exports the waitlist. */
export function exportOperations(needs: ExportNeeds): Pick<Operations, "exportSignups"> {
  return {
    exportSignups: {
      body: exportSchema,
      async act(request, call) {
        const { startedAt: _, after, links, ...selection } = request;
        const details = {
          ...auditedSelection(selection),
          ...links && { links },
          continued: after !== undefined,
        };
        // The audit entry is written first, so that no list leaves the service without an audit entry.
        await needs.writeAuditEntry(call.auditEntry(details));
        return { lines: exportLines(request, needs), total: await needs.readTotal() };
      },
    },
  };
}

/**
 * Gives the members of a selection for an audit entry. The entry says that there was a search, but leaves out the text
 * of the search, because this text can be a part of an address, and the audit log must not have addresses.
 */
export function auditedSelection({ search, ...others }: Schemas.PeopleSelection) {
  return { ...others, ...search !== undefined && { searched: true } };
}

/** A line of an export. */
type ExportLine =
  | Schemas.ExportStart
  | Schemas.StoredSignup
  | Schemas.ExportUnreadable
  | Schemas.ExportProgress
  | Schemas.ExportEnd;

/** Streams the lines of an export, page by page. */
async function* exportLines(
  { links, after, startedAt, ...selection }: Schemas.ExportRequest,
  { readSignUpPages, readReferrals, countErasuresSince, now, selfServiceUrls }: ExportNeeds,
): AsyncGenerator<ExportLine[]> {
  // A call that continues an export has the moment at which the first call began.
  const exportStartedAt = startedAt ?? new Date(now()).toISOString();
  yield [{ startedAt: exportStartedAt }];
  const { referrals: minReferrals = 0 } = selection;
  let count = 0;
  let scanned = 0;
  for await (const { records, unreadable } of readSignUpPages(after)) {
    const lines: ExportLine[] = [];
    const people = records.filter((person) => fitsSelection(person, selection));
    const referrals = await readReferrals(people.map(({ record }) => record));
    for (const [index, { email, record }] of people.entries()) {
      if ((referrals[index]?.referrals ?? 0) < minReferrals) continue;
      const signUp = links
        ? toOperatorSignupWithLink(email, record, selfServiceUrls)
        : toOperatorSignup(email, record);
      lines.push({ ...signUp, ...referrals[index] });
    }
    count += lines.length;
    for (const record of unreadable) lines.push({ unreadable: record });
    scanned += records.length;
    // True if the number of records has passed a multiple of `PROGRESS_EVERY` with this page.
    if (scanned % PROGRESS_EVERY < records.length) lines.push({ scanned });
    yield lines;
  }
  yield [{ complete: true, count, erasedMeanwhile: await countErasuresSince(exportStartedAt) }];
}
