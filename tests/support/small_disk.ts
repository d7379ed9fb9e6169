/** A disk of its own, in memory, that a test fills (Linux, as root). @module */
import { join } from "node:path";
import { outputOf } from "./process.ts";

/** Whether disks can be made here. */
export const HAS_DISKS = Deno.build.os === "linux" && Deno.uid() === 0;

/** Makes a disk; disposing of it removes it, and what is on it. */
export async function makeSmallDisk(megabytes: number) {
  const path = await Deno.makeTempDir({ prefix: "waitlist disk " });
  await outputOf(["mount", "-t", "tmpfs", "-o", `size=${megabytes}m,mode=1777`, "tmpfs", path]);
  const filler = join(path, "filler");
  return {
    path,
    /** Takes what is free. */
    async fill(): Promise<void> {
      using file = await Deno.open(filler, { create: true, append: true });
      for (const length of [1_048_576, 4_096]) {
        try {
          for (;;) await file.write(new Uint8Array(length));
        } catch {
          // It is full.
        }
      }
    },
    /** Gives it back. */
    free: () => Deno.remove(filler),
    async [Symbol.asyncDispose]() {
      await outputOf(["umount", "-l", path]);
      await Deno.remove(path);
    },
  };
}
