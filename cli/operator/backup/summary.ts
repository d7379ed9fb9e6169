import type { BackupCounts } from "../../../shared/operator_schemas.ts";

/** What a backup holds, in words. */
export function formatCounts({ signUps, clients, erasures }: BackupCounts): string {
  return [
    plural(signUps, "sign-up", "sign-ups"),
    plural(clients, "client", "clients"),
    plural(erasures, "mark of an erased address", "marks of erased addresses"),
  ].join(", ");
}

function plural(number: number, one: string, many: string): string {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}
