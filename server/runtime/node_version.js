/**
 * Refuses a version of Node that is too old. This file is JavaScript, because Node 20 does not load TypeScript and Node
 * 22 does not know all of its syntax. Node 24 has no `Uint8Array.fromBase64`, which webhook secrets need. @module
 */
import process from "node:process";

if (!("fromBase64" in Uint8Array)) {
  console.error(`Node ${process.versions.node} is too old; the service needs Node 26 or later`);
  process.exit(1);
}
