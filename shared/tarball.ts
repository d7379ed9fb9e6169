/**
 * Makes the tarballs of npm packages.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { gzipSync } from "node:zlib";

/** The size of a block. A header is one block, and the content of a file is filled up to whole blocks with zeros. */
const BLOCK_BYTES = 512;

/** The size of the fields for paths in a header, in characters. */
const MAX_PATH = 100;

/** The size of the checksum field in a header, with a NUL and a space at its end, in bytes. */
const CHECKSUM_BYTES = 8;

/**
 * Makes a compressed tar archive of the files in a folder. The same files give the same bytes.
 *
 * @param root the folder to which the paths in the archive are relative
 * @param folder the name of the archived folder, which is in `root`
 * @throws {Error} if a path in the archive has more than 100 characters
 */
export async function makeTarball(root: string, folder: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(gzipSync(await tarOf(root, folder), { level: 9 }));
}

/**
 * Makes a tar archive (POSIX ustar) of the files in a folder. The files are sorted by name and have no times, so that
 * the same files give the same bytes.
 */
async function tarOf(root: string, folder: string): Promise<Uint8Array> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name))).sort();
  const blocks: Uint8Array[] = [];
  for (const path of paths) {
    const content = await readFile(join(root, path));
    blocks.push(tarHeader(path, content.byteLength), content);
    const lastBlockBytes = content.byteLength % BLOCK_BYTES;
    if (lastBlockBytes > 0) blocks.push(new Uint8Array(BLOCK_BYTES - lastBlockBytes));
  }
  // Two empty blocks end an archive.
  return Buffer.concat([...blocks, new Uint8Array(2 * BLOCK_BYTES)]);
}

/** Returns the header of a file in a tar archive. @throws {Error} if the path is too long for the header */
function tarHeader(path: string, size: number): Uint8Array {
  if (path.length > MAX_PATH) {
    throw new Error(
      `The path '${path}' is longer than ${MAX_PATH} characters, so a tar archive has no room for it`,
    );
  }
  // Numbers are written in octal digits with a NUL at the end. The numbers of digits are those of ustar.
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, "0")}\0`;
  const mode = octal(0o644, 7);
  const userAndGroup = octal(0, 7) + octal(0, 7);
  const modifiedAt = octal(0, 11);
  const fieldsBefore = path.padEnd(MAX_PATH, "\0") + mode + userAndGroup + octal(size, 11) +
    modifiedAt;
  // The type 0 is a file. It is followed by the name of a linked file, which is empty, and by the format.
  const fieldsAfter = `0${"\0".repeat(MAX_PATH)}ustar\x0000`
    .padEnd(BLOCK_BYTES - fieldsBefore.length - CHECKSUM_BYTES, "\0");
  // The checksum is the sum of all bytes of the header, with spaces in place of the checksum itself.
  const noChecksum = " ".repeat(CHECKSUM_BYTES);
  const checksum = Buffer.from(`${fieldsBefore}${noChecksum}${fieldsAfter}`, "latin1")
    .reduce((sum, byte) => sum + byte, 0);
  return Buffer.from(`${fieldsBefore}${octal(checksum, 6)} ${fieldsAfter}`, "latin1");
}
