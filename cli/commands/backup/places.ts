/**
 * Where a backup is read from: a file that `waitlist backup` wrote, or the folder or bucket of `BACKUP_URL`, where the
 * marks of later erasures are beside it.
 *
 * @module
 */
import { basename, dirname, join } from "node:path";
import { readObjectName, sortObjects } from "../../../shared/backup_objects.ts";
import { createObjectStore } from "../../../shared/s3.ts";
import { parseS3Url, type S3Location } from "../../../shared/s3_location.ts";
import { shownAddress } from "../../../shared/shown_address.ts";
import type { Context } from "../../context.ts";
import { UsageError } from "../../errors.ts";
import { cannotRead } from "../../files.ts";
import { type InputFile, isStandardInput, openInput, spoolInput } from "../../input.ts";
import { openSealed, readIdentities } from "./unseal.ts";

/** A file, and its path. */
export interface OpenedFile {
  path: string;
  file: InputFile;
}

/** A backup, and the marks of erasures that were made after it was begun. It is disposed of after the last reading. */
export interface OpenedBackup extends OpenedFile, AsyncDisposable {
  erasures: OpenedFile[];
}

/** A folder or a prefix of a bucket. */
interface Place {
  /** The name of what was asked for; `undefined` for the newest backup. */
  name: string | undefined;
  names: string[];
  pathOf: (name: string) => string;
  open: (name: string) => Promise<InputFile>;
}

/**
 * Opens a file or an object, or the newest backup of a folder or of a bucket's prefix. What is compressed or encrypted
 * is read as the lines that it holds.
 *
 * @param identity the path of a file with the secret keys of age
 */
export async function openBackup(
  text: string,
  { identity }: { identity: string | undefined },
  context: Context,
): Promise<OpenedBackup> {
  const identities = identity === undefined ? [] : await readIdentities(identity, context);
  const warn = (sentence: string) => context.stderr.write(`Warning: ${sentence}\n`);
  await using resources = new AsyncDisposableStack();
  const place = await findPlace(text, context);
  const name = place.name ?? sortObjects(place.names, "backup").at(-1)?.name;
  if (name === undefined) {
    throw new UsageError(
      `'${
        shownAddress(text)
      }' has no backup of a service, whose name would begin with 'waitlist-'; check BACKUP_URL of ` +
        "the service",
    );
  }
  const open = async (name: string): Promise<OpenedFile> => {
    const path = place.pathOf(name);
    const input = await place.open(name);
    // A restore reads a backup more than once, and a pipe can be read once only, so its bytes go into a file first.
    const file = input.size === undefined
      ? resources.use(await spoolInput(path, input, context))
      : input;
    return { path, file: await openSealed(path, file, identities, warn) };
  };
  const object = readObjectName(name);
  const later = object === undefined ? [] : sortObjects(place.names, "erasures")
    .filter(({ moment }) => moment >= object.moment);
  const erasures = await Promise.all(later.map(({ name }) => open(name)));
  const backup = await open(name);
  const kept = resources.move();
  return { ...backup, erasures, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

function findPlace(text: string, context: Context): Promise<Place> {
  if (isStandardInput(text)) {
    const open = () => openInput(text, context);
    return Promise.resolve({ name: text, names: [], pathOf: () => text, open });
  }
  return text.startsWith("s3:") ? findInBucket(text, context) : findInFolder(text, context);
}

async function findInFolder(path: string, context: Context): Promise<Place> {
  const { files } = context;
  try {
    const inside = await files.list(path);
    const folder = inside ? path : dirname(path);
    const name = inside ? undefined : basename(path);
    const pathOf = (each: string) => each === name ? path : join(folder, each);
    const names = inside ?? (readObjectName(name ?? "") ? await files.list(folder) : []);
    return { name, names: names ?? [], pathOf, open: (name) => openInput(pathOf(name), context) };
  } catch (error) {
    throw new UsageError(cannotRead(`'${path}'`, error));
  }
}

async function findInBucket(
  text: string,
  { variables, fetch, hide }: Context,
): Promise<Place> {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = variables;
  if (!accessKeyId || !secretAccessKey) {
    throw new UsageError("Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to read from a bucket");
  }
  hide(secretAccessKey);
  const { prefix: path, ...location } = readLocation(text);
  const last = basename(path);
  const name = readObjectName(last) ? last : undefined;
  // Of an object, the place is the prefix that it is under.
  const prefix = name === undefined ? path : path.slice(0, -last.length - 1);
  const store = createObjectStore(
    { ...location, prefix, accessKeyId, secretAccessKey },
    { fetch },
  );
  return {
    name,
    names: await explained(text, () => store.names()),
    pathOf: (name) => `s3://${location.bucket}/${prefix}${name}`,
    async open(name) {
      let position = 0;
      return {
        size: await explained(text, () => store.size(name)),
        position: () => position,
        async *read(from = 0) {
          position = from;
          for await (const bytes of store.read(name, from)) {
            position += bytes.length;
            yield bytes;
          }
        },
      };
    },
  };
}

function readLocation(text: string): S3Location {
  try {
    return parseS3Url(text);
  } catch (error) {
    throw new UsageError(`The address of the bucket ${(error as Error).message}`);
  }
}

async function explained<T>(text: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { message } = error as Error;
    throw new UsageError(
      `Cannot read '${shownAddress(text)}': ${message}; check the address and the key`,
    );
  }
}
