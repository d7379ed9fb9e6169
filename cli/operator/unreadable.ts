import { quotable } from "../../shared/api_failure.ts";
import type { UnreadableRecord } from "../../shared/operator_schemas.ts";
import { plural } from "../output/plural.ts";

/** Names records that the service cannot read, and what helps; nothing where there are none. */
export function formatUnreadable(records: UnreadableRecord[]): string {
  if (records.length === 0) return "";
  const lines = records.map(({ key, reason }) => {
    return `  ${quotable(key.join(" "), 300)}: ${quotable(reason)}.\n`;
  });
  const count = plural(
    records.length,
    "record cannot be read and is",
    "records cannot be read and are",
  );
  return `${count} left out:\n${lines.join("")}` +
    "Erase the address of such a sign-up with 'waitlist signups erase', then correct the counters with " +
    "'waitlist counters repair'; in place of such a client, create another one.\n";
}
