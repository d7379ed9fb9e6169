// Prints every entry of a KV server as a line of JSON, on Node: `node read_all.mjs <@deno/kv> <url>`.
import { createRequire } from "node:module";

const [path, url] = process.argv.slice(2);
const { openKv } = createRequire(path)(path);

/** What the service stores: JSON, bytes behind a zero, and counters. */
function decode(value) {
  if (!(value instanceof Uint8Array)) return Number(BigInt.asIntN(64, value.value));
  return value[0] === 0 ? value.slice(1) : JSON.parse(new TextDecoder().decode(value));
}

const kv = await openKv(url, { accessToken: process.env.DENO_KV_ACCESS_TOKEN });
for await (const { key, value } of kv.list({ prefix: [] })) {
  console.log(JSON.stringify([key, decode(value)]));
}
kv.close();
