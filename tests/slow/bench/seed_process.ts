import type { Seed } from "./requests.ts";

/** Fills a KV file with sign-ups, in a process of its own that leaves nothing in memory. */
export async function seed(path: string, signUps: number): Promise<Seed> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", new URL("seed.ts", import.meta.url).pathname, path, String(signUps)],
  }).output();
  if (code !== 0) throw new Error(new TextDecoder().decode(stderr));
  return { path, ...JSON.parse(new TextDecoder().decode(stdout)) };
}
