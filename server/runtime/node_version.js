/**
 * Refuses a version of Node that is too old: without `Uint8Array.fromBase64`, which webhook secrets need, as Node 24
 * and earlier. This file is JavaScript, because Node 20 cannot load TypeScript, and Node 22 only a part of its syntax.
 * @module
 */
import process from "node:process";

if (!("fromBase64" in Uint8Array)) {
  console.error(`Node ${process.versions.node} is too old; the service needs Node 26 or later`);
  process.exit(1);
}
