// Prints every entry of a KV server as a line of JSON, on Node: `node read_all.mjs <@deno/kv> <url>`.
import { createRequire } from "node:module";
import { deserialize, serialize } from "node:v8";

const [path, url] = process.argv.slice(2);
const { openKv } = createRequire(path)(path);

// Deno's V8 writes version 16 of its format, and Node's reads version 15. What the service stores is the same
// in both: objects, lists, texts, numbers and booleans.
function decodeV8(bytes) {
  const copy = Uint8Array.from(bytes);
  copy[1] = Math.min(copy[1], 15);
  return deserialize(copy);
}

const accessToken = process.env.DENO_KV_ACCESS_TOKEN;
const kv = await openKv(url, { accessToken, encodeV8: serialize, decodeV8 });
for await (const { key, value } of kv.list({ prefix: [] })) {
  const toText = (_name, part) => typeof part === "bigint" ? `${part}n` : part;
  console.log(JSON.stringify([key, value], toText));
}
kv.close();
