/**
 * Where a backup is read from: a file that `waitlist backup` wrote, or what a service keeps under `BACKUP_URL`, where
 * the marks of later erasures are beside it.
 *
 * @module
 */
import { basename, dirname, join } from "node:path";
import { readObjectName, sortObjects } from "../../../shared/backup_objects.ts";
import type { Context } from "../../context.ts";
import { UsageError } from "../../errors.ts";
import { cannotRead, type InputFile, openInput } from "../../files.ts";
import { openSealed, readIdentities } from "./unseal.ts";

/** A file, and its path. */
export interface OpenedFile {
  path: string;
  file: InputFile;
}

/** A backup, and the marks of erasures that were made after it was begun. */
export interface OpenedBackup extends OpenedFile {
  erasures: OpenedFile[];
}

/**
 * Opens a file, or the newest backup of a folder. What is compressed or encrypted is read as the lines that it holds.
 *
 * @param identity the path of a file with the secret keys of age
 */
export async function openBackup(
  place: string,
  { identity }: { identity: string | undefined },
  context: Context,
): Promise<OpenedBackup> {
  const identities = identity === undefined ? [] : await readIdentities(identity, context);
  const open = async (path: string): Promise<OpenedFile> => {
    const file = await openInput(path, context);
    return { path, file: await openSealed(path, file, identities) };
  };
  const { path, names } = await findBackup(place, context);
  const object = readObjectName(basename(path));
  const later = object === undefined ? [] : sortObjects(names, "erasures")
    .filter(({ moment }) => moment >= object.moment);
  const erasures = await Promise.all(later.map(({ name }) => open(join(dirname(path), name))));
  return { ...await open(path), erasures };
}

/** Gives the path of a backup, and the names that are in its folder. */
async function findBackup(place: string, { files }: Context) {
  try {
    const inside = await files.list(place);
    if (!inside) {
      const names = readObjectName(basename(place)) ? await files.list(dirname(place)) : [];
      return { path: place, names: names ?? [] };
    }
    const newest = sortObjects(inside, "backup").at(-1);
    if (newest) return { path: join(place, newest.name), names: inside };
  } catch (error) {
    throw new UsageError(cannotRead(`'${place}'`, error));
  }
  throw new UsageError(
    `The folder '${place}' has no backup of a service, whose name would begin with 'waitlist-'; check ` +
      "BACKUP_URL of the service",
  );
}
