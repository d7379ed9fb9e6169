/**
 * Reads the `s3:` URL of a bucket.
 *
 * @module
 */
import { LOOPBACK } from "./loopback.ts";
import { redactUrl } from "./redact_url.ts";

/** A bucket, and the prefix of the objects in it. */
export interface S3Location {
  kind: "s3";
  /** The origin of the service, without a slash at its end. */
  endpoint: string;
  region: string;
  bucket: string;
  /** The beginning of the names of all objects: empty, or with a slash at its end. */
  prefix: string;
}

/**
 * Reads `s3://bucket/prefix?endpoint=…&region=…`. The last value counts if a parameter is given twice.
 *
 * @throws {Error} with the end of a sentence as its message. The caller puts the name of the value, such as
 * `BACKUP_URL`, before this end. The message quotes no part of the URL that may be a secret.
 */
export function parseS3Url(text: string): S3Location {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const { endpoint, region = "us-east-1", ...unknownParameters } = Object.fromEntries(
    url?.searchParams ?? [],
  );
  const shown = redactUrl(text);
  if (url?.username || url?.password) {
    throw new Error(
      `is '${shown}', which has a user name or a password; remove this part, and set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY`,
    );
  }
  if (url?.protocol !== "s3:" || !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.hostname)) {
    throw new Error(
      `is '${shown}'; it must be s3://bucket/prefix?endpoint=https://host&region=name`,
    );
  }
  if (url.port || url.hash || Object.keys(unknownParameters).length > 0) {
    throw new Error(
      `is '${shown}'; an s3: URL may have only a bucket, a prefix, endpoint= and region=, so remove the rest`,
    );
  }
  if (!/^[a-z0-9-]{1,40}$/.test(region)) {
    throw new Error(
      `has the region '${
        redactUrl(region)
      }'; a region has only the characters a-z, 0-9 and -, such as eu-central-1`,
    );
  }
  const prefix = readPrefix(text);
  return {
    kind: "s3",
    endpoint: readEndpoint(endpoint, region),
    region,
    bucket: url.hostname,
    prefix,
  };
}

/** Reads the parameter `endpoint`. Without it, the endpoint is that of Amazon in the region. */
function readEndpoint(endpoint: string | undefined, region: string): string {
  if (endpoint === undefined) return `https://s3.${region}.amazonaws.com`;
  const shown = redactUrl(endpoint, { path: false });
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (!url || url.href !== `${url.origin}/` || !/^https?:$/.test(url.protocol)) {
    throw new Error(
      `has the endpoint '${shown}', which is not an origin; give an origin such as https://host`,
    );
  }
  if (url.protocol === "http:" && !LOOPBACK.test(url.hostname)) {
    throw new Error(
      `has the endpoint '${shown}'; http: is allowed only for an endpoint on this machine, so give an https: URL`,
    );
  }
  return url.origin;
}

/**
 * Reads the prefix from the text of the URL, because a prefix with `..` must be refused, and a parsed URL does not have
 * the `..` any more.
 */
function readPrefix(text: string): string {
  const [, path = ""] = /^s3:\/\/[^/?#]*([^?#]*)/i.exec(text) ?? [];
  let prefix: string;
  try {
    prefix = decodeURIComponent(path).replace(/^\/+|\/+$/g, "");
  } catch {
    throw new Error(
      `has the prefix '${path}', which cannot be decoded; write each % in the prefix as %25`,
    );
  }
  if (prefix.split("/").some((part) => part === "." || part === "..")) {
    throw new Error(`has the prefix '${path}'; no part of a prefix may be '.' or '..'`);
  }
  return prefix && `${prefix}/`;
}
