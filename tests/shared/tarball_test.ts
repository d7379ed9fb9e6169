import assert from "node:assert/strict";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { makeTarball } from "../../shared/tarball.ts";
import { makeTestFolder } from "../support/process.ts";

/** Packs a folder with one file, whose path in the archive has the given number of characters. */
async function packPath(length: number): Promise<{ path: string; archive: Uint8Array }> {
  await using folder = await makeTestFolder();
  const path = "package/".padEnd(length, "x");
  await Deno.mkdir(join(folder.path, "package"));
  await Deno.writeTextFile(join(folder.path, path), "content");
  return { path, archive: gunzipSync(await makeTarball(folder.path, "package")) };
}

Deno.test("makeTarball() writes a path of 100 characters in full", async () => {
  const { path, archive } = await packPath(100);
  assert.equal(new TextDecoder().decode(archive.subarray(0, 100)), path);
  // The header and the content take a block each, and two empty blocks end the archive.
  assert.equal(archive.byteLength, 4 * 512);
});

Deno.test("makeTarball() throws an error when a path has more than 100 characters", async () => {
  await assert.rejects(
    packPath(101),
    /^Error: The path 'package\/x+' is longer than 100 characters/,
  );
});
