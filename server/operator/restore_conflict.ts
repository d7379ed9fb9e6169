import type { RestoreConflict } from "../store/restores.ts";
import type { OperatorFailure, RestoreConflictCode } from "./failure.ts";

const CONFLICTS: Record<RestoreConflict, { code: RestoreConflictCode; message: string }> = {
  not_empty: {
    code: "store_not_empty",
    message:
      "The store is not empty: it has sign-ups or clients. A backup is restored into an empty " +
      "store only; start the service on a new KV_PATH or KV_URL.",
  },
  begun: {
    code: "restore_begun",
    message: "The store is not empty: it holds a part of this very backup, whose restore was not " +
      "finished. Go on with it by resume.",
  },
  other: {
    code: "other_restore",
    message: "The store is not empty: it holds a part of another backup, whose restore was not " +
      "finished. Go on with that one, or start the service on a new KV_PATH or KV_URL.",
  },
  not_begun: {
    code: "no_restore",
    message: "No restore of this backup is under way; begin it first.",
  },
};

/** What the operator is told of a restore that cannot begin or go on. */
export function restoreConflict(conflict: RestoreConflict): OperatorFailure {
  return { failure: "restore_conflict", ...CONFLICTS[conflict] };
}
