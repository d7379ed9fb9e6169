/**
 * Refuses a version of Node that lacks `Uint8Array.fromBase64`, by which webhook secrets are read. Node 24 and earlier
 * versions lack it. This file is JavaScript, because Node 20 cannot load TypeScript, and Node 22 can load only a part
 * of its syntax. @module
 */
import process from "node:process";

if (!("fromBase64" in Uint8Array)) {
  console.error(`Node ${process.versions.node} is too old; the service needs Node 26 or later`);
  process.exit(1);
}
