/**
 * Refuses a Node that is too old. JavaScript, which each Node loads before it reads the program: Node 20 knows no
 * TypeScript, and Node 22 not all of its syntax. Node 24 would fail at the first secret of a webhook.
 * @module
 */
import process from "node:process";

if (!("fromBase64" in Uint8Array)) {
  console.error(`Node ${process.versions.node} is too old; the service needs Node 26 or later`);
  process.exit(1);
}
