/**
 * Makes the tarballs of npm packages, and runs the programs that packing needs.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";

/**
 * Makes a compressed tar archive of a folder's files. The same files give the same bytes.
 *
 * @param stage the folder that the paths in the archive are relative to
 * @param folder the name of the folder in `stage`
 */
export async function makeTarball(stage: string, folder: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(gzipSync(await tarOf(stage, folder), { level: 9 }));
}

/** Makes a tar archive (POSIX ustar) of a folder's files, sorted by name and without times, so that its bytes repeat. */
async function tarOf(stage: string, folder: string): Promise<Uint8Array> {
  const entries = await readdir(join(stage, folder), { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(stage, join(parentPath, name))).sort();
  const blocks: Uint8Array[] = [];
  for (const path of paths) {
    const content = await readFile(join(stage, path));
    blocks.push(tarHeader(path, content.byteLength), content);
    blocks.push(new Uint8Array(-content.byteLength & 511));
  }
  // Two empty blocks end an archive.
  return Buffer.concat([...blocks, new Uint8Array(1024)]);
}

/** Returns the header of a file in a tar archive, 512 bytes. */
function tarHeader(path: string, size: number): Uint8Array {
  const octal = (value: number, length: number) => `${value.toString(8).padStart(length, "0")}\0`;
  const fieldsBefore = path.padEnd(100, "\0") + octal(0o644, 7) + octal(0, 7) + octal(0, 7) +
    octal(size, 11) + octal(0, 11);
  const fieldsBehind = `0${"\0".repeat(100)}ustar\x0000`.padEnd(356, "\0");
  // The checksum is the sum of all bytes. The field of the checksum counts as eight spaces.
  const sum = Buffer.from(`${fieldsBefore}        ${fieldsBehind}`, "latin1")
    .reduce((total, byte) => total + byte, 0);
  return Buffer.from(`${fieldsBefore}${octal(sum, 6)} ${fieldsBehind}`, "latin1");
}

/** Runs a program and returns its output. @throws {Error} with its errors, if it fails */
export async function outputOfProgram(
  program: string,
  args: string[],
  cwd: string,
): Promise<string> {
  try {
    return (await promisify(execFile)(program, args, { cwd, maxBuffer: 2 ** 26 })).stdout;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    throw new Error(`'${program} ${args[0]}' failed:\n${stderr ?? message}`);
  }
}
