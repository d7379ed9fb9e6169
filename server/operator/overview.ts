/** The operation that gives an overview: the numbers of people, letters and events, and what is wrong. @module */
import { z } from "zod";
import type { Overview } from "../../shared/operator_schemas.ts";
import { VERSION } from "../../shared/version.ts";
import type { BackupStore } from "../store/backup/mod.ts";
import type { WaveStore } from "../store/invitations/mod.ts";
import type { PeopleStore } from "../store/people/mod.ts";
import type { Operations } from "./operation.ts";

const overviewSchema = z.strictObject({
  since: z.iso.date("give a UTC date such as 2026-05-01").exactOptional(),
});

interface OverviewNeeds
  extends
    Pick<PeopleStore, "readOverview" | "sendsLetters">,
    Pick<BackupStore, "readBackups">,
    Pick<WaveStore, "readLeftOutRuns"> {
  /** Makes the warnings: what is still to do before people use the service, and what is wrong at present. */
  makeOverviewWarnings: () => Overview["warnings"];
  /** The sender of letters. `undefined` if mail is off. */
  sender: Overview["sender"] | undefined;
}

/** Makes the operation that gives the overview. */
export function overviewOperations(
  { readOverview, sendsLetters, readBackups, readLeftOutRuns, makeOverviewWarnings, sender }:
    OverviewNeeds,
): Pick<Operations, "getOverview"> {
  return {
    getOverview: {
      query: overviewSchema,
      async act({ since }) {
        const [overview, backupReport, leftOutRuns] = await Promise.all([
          readOverview(since),
          readBackups(),
          readLeftOutRuns(),
        ]);
        return {
          ...overview,
          version: VERSION,
          sendsLetters,
          warnings: makeOverviewWarnings(),
          ...sender && { sender },
          ...backupReport && { backups: backupReport },
          ...leftOutRuns.length > 0 && { leftOutRuns },
        };
      },
    },
  };
}
