import { dirname } from "node:path";
import type { KvLocation } from "../config.ts";
import { kvFile } from "./kv_folder.ts";

/** Opens the KV that the configuration names; the folder of a file is made where it is missing. */
export async function openKv(location: KvLocation): Promise<Deno.Kv> {
  switch (location.kind) {
    case "deploy":
      return await Deno.openKv();
    case "file": {
      const file = kvFile(location.path);
      await Deno.mkdir(dirname(file), { recursive: true });
      return await Deno.openKv(file);
    }
    case "connect": {
      // Loaded only here, as it is large and of no use to the other two.
      const { openKv } = await import("@deno/kv");
      return await openKv(location.url, {
        accessToken: location.accessToken,
        // Left to itself, it would hand over to Deno.openKv(), which takes no options.
        implementation: "remote",
      }) as unknown as Deno.Kv;
    }
  }
}
