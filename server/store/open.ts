import { dirname } from "node:path";
import type { KvLocation } from "../config.ts";

/** Opens the KV that the configuration names; the folder of a file is made where it is missing. */
export async function openKv(location: KvLocation): Promise<Deno.Kv> {
  switch (location.kind) {
    case "deploy":
      return await Deno.openKv();
    case "file":
      await Deno.mkdir(dirname(location.path), { recursive: true });
      return await Deno.openKv(location.path);
    case "connect": {
      // Loaded only here, as it is large and of no use to the other two.
      const { openKv } = await import("@deno/kv");
      return await openKv(location.url, {
        accessToken: location.accessToken,
      }) as unknown as Deno.Kv;
    }
  }
}
