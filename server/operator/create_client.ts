/**
 * `deno task client:create`: makes a production client on the embedded KV file, while the service is
 * stopped.
 *
 * @module
 */
import { Command } from "commander";
import { DEFAULT_KV_PATH } from "../config.ts";
import { type Client, newClient, type RandomBytes, STATS_SCOPE } from "../oauth/clients.ts";
import { createClient } from "../store/clients.ts";
import { openKv } from "../store/open.ts";

/**
 * Makes and stores a client; throws a `RangeError` for a name or a scope that a client cannot have.
 *
 * @returns the client, and its secret to show once
 */
export async function issueClient(
  description: { name: string; scopes: string[] },
  context: { kv: Deno.Kv; now: number; random: RandomBytes },
): Promise<{ client: Client; clientSecret: string }> {
  const { name, scopes } = description;
  if (name.trim() === "" || name.length > 100) {
    throw new RangeError(`The name has ${name.length} characters; give it 1 to 100`);
  }
  const unknown = scopes.find((scope) => scope !== STATS_SCOPE);
  if (unknown !== undefined) {
    throw new RangeError(`There is no scope '${unknown}'; the only one is ${STATS_SCOPE}`);
  }
  const issued = newClient({ name, scopes: [...new Set(scopes)] }, context);
  await createClient(context.kv, issued.client);
  return issued;
}

async function main(): Promise<void> {
  const program = new Command("deno task client:create")
    .description("Makes a production OAuth client and shows its secret once.")
    .requiredOption("--name <name>", "what you call the client")
    .option("--scope <scope...>", "what its tokens may do", [])
    .option("--kv-path <path>", "the embedded KV file", DEFAULT_KV_PATH);
  const options = program.parse(Deno.args, { from: "user" }).opts<
    { name: string; scope: string[]; kvPath: string }
  >();
  try {
    using store = await openKv({ kind: "file", path: options.kvPath || DEFAULT_KV_PATH });
    const { client, clientSecret } = await issueClient(
      { name: options.name, scopes: options.scope },
      {
        kv: store.kv,
        now: Date.now(),
        random: (length) => crypto.getRandomValues(new Uint8Array(length)),
      },
    );
    console.log(`client_id      ${client.clientId}`);
    console.log(`client_secret  ${clientSecret}`);
    console.log("Keep the secret now; it is not shown again.");
  } catch (error) {
    console.error(`${(error as Error).message}.`);
    // Where another process has the file, waiting for its lock would keep this one alive.
    Deno.exit(1);
  }
}

if (import.meta.main) await main();
