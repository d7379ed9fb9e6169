import type { RecountReport, RestoredLines } from "../../../shared/operator_schemas.ts";
import { CliError, UsageError } from "../../cli_error.ts";
import { inChunks, sendingLines } from "../chunks.ts";
import type { OperatorClient } from "../client.ts";
import type { OperatorSession } from "../command.ts";
import { openInput } from "../input_file.ts";
import { longWork } from "../long_work.ts";
import { oneAhead } from "../one_ahead.ts";
import { createProgress, shareOf } from "../progress.ts";
import { retrying } from "../retrying.ts";
import { RESTORE, RESTORED_LINES } from "../shapes.ts";
import { linesBetween, verifyBackup } from "./read_backup.ts";
import type { VerifiedBackup } from "./verifier.ts";

/** What a restore came to. */
export interface Restored extends RestoredLines {
  backup: VerifiedBackup;
  recount: RecountReport;
}

/**
 * Restores a backup: reads and checks the whole file, and only then sends it, what marks erased
 * addresses before the sign-ups.
 *
 * @param resume goes on with a restore of this very file
 */
export async function restoreBackup(
  { path, resume }: { path: string; resume: boolean },
  session: OperatorSession & { connect: () => Promise<OperatorClient> },
): Promise<Restored> {
  const { context, settings } = session;
  using progress = createProgress(context, settings);
  const file = await openInput(path, context);
  const backup = await verifyBackup(path, file, progress);
  const { checksum, counts, signUps } = backup;

  const client = await session.connect();
  const { http, read } = client;
  await read(RESTORE, http.POST("/operator/v1/restores", { body: { checksum, counts, resume } }))
    .catch((error) => {
      throw explainConflict(error);
    });

  const total: RestoredLines = { restored: 0, unchanged: 0, erased: 0 };
  const sections = [[signUps.to, file.size], [signUps.from, signUps.to]] as const;
  for (const [from, to] of sections) {
    for await (const chunk of oneAhead(inChunks(linesBetween(file, from, to)))) {
      const params = { path: { checksum } };
      const stored = await retrying(() =>
        read(
          RESTORED_LINES,
          http.POST("/operator/v1/restores/{checksum}/lines", { params, ...sendingLines(chunk) }),
        ), { ...context, progress });
      for (const key of ["restored", "unchanged", "erased"] as const) total[key] += stored[key];
      const done = total.restored + total.unchanged + total.erased;
      const all = counts.signUps + counts.clients + counts.erasures;
      progress.show(`${done.toLocaleString("en")} lines`, shareOf(done, all));
    }
  }
  progress.end();
  // The type knows the path with its parameter's name.
  const finish =
    `/operator/v1/restores/${checksum}/finish` as "/operator/v1/restores/{checksum}/finish";
  const recount = await retrying(
    () => longWork<RecountReport>(finish, { client, progress }),
    { ...context, progress },
  );
  return { ...total, backup, recount };
}

const NEW_STORE = "start the service on a new KV_PATH or KV_URL";

/** What a restore that cannot begin is to do instead, by the service's code. */
const CONFLICTS = new Map([
  [
    "store_not_empty",
    "The store is not empty: it has sign-ups or clients. A backup is restored into an empty store " +
    `only; ${NEW_STORE}`,
  ],
  [
    "restore_begun",
    "The store is not empty: it holds a part of this very backup, whose restore was not finished; " +
    "add --resume to go on with it",
  ],
  [
    "other_restore",
    "The store is not empty: it holds a part of another backup, whose restore was not finished; go " +
    `on with that one, or ${NEW_STORE}`,
  ],
]);

function explainConflict(error: unknown): unknown {
  const message = error instanceof CliError && CONFLICTS.get(error.code ?? "");
  return message ? new UsageError(message) : error;
}
