import type { BackupCounts } from "../../../shared/operator_schemas.ts";
import { plural } from "../../output/plural.ts";

/** What a backup holds, in words. */
export function formatCounts({ signUps, clients, erasures }: BackupCounts): string {
  return [
    plural(signUps, "sign-up", "sign-ups"),
    plural(clients, "client", "clients"),
    plural(erasures, "mark of an erased address", "marks of erased addresses"),
  ].join(", ");
}
