/**
 * Makes the tarballs of npm packages.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { gzipSync } from "node:zlib";

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
    blocks.push(new Uint8Array(-content.byteLength & 511));
  }
  // Two empty blocks end an archive.
  return Buffer.concat([...blocks, new Uint8Array(1024)]);
}

/** The longest path that fits into a header, in characters. */
const MAX_PATH = 100;

/** Returns the header of a file in a tar archive, 512 bytes. @throws {Error} if the path is too long for the header */
function tarHeader(path: string, size: number): Uint8Array {
  if (path.length > MAX_PATH) {
    throw new Error(
      `The path '${path}' is longer than ${MAX_PATH} characters, so a tar archive has no room for it`,
    );
  }
  const octal = (value: number, length: number) => `${value.toString(8).padStart(length, "0")}\0`;
  const fieldsBefore = path.padEnd(MAX_PATH, "\0") + octal(0o644, 7) + octal(0, 7) + octal(0, 7) +
    octal(size, 11) + octal(0, 11);
  const fieldsAfter = `0${"\0".repeat(100)}ustar\x0000`.padEnd(356, "\0");
  // The checksum is the sum of all bytes of the header, with eight spaces in place of the checksum itself.
  const sum = Buffer.from(`${fieldsBefore}        ${fieldsAfter}`, "latin1")
    .reduce((total, byte) => total + byte, 0);
  return Buffer.from(`${fieldsBefore}${octal(sum, 6)} ${fieldsAfter}`, "latin1");
}
