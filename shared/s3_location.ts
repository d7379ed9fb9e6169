/** Where a bucket is, and the `s3:` URL that names it. @module */
import { LOOPBACK } from "./loopback.ts";

/** Where the objects are. */
export interface S3Location {
  kind: "s3";
  /** An origin, without a slash at its end. */
  endpoint: string;
  region: string;
  bucket: string;
  /** Empty, or with a slash at its end. */
  prefix: string;
}

/** Reads `s3://bucket/prefix?endpoint=…&region=…`. The message of an error goes on behind the name of the value. */
export function parseS3Url(text: string): S3Location {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const { endpoint: given, region = "us-east-1", ...others } = Object.fromEntries(
    url?.searchParams ?? [],
  );
  const [other] = Object.keys(others);
  if (url?.protocol !== "s3:" || !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.hostname)) {
    throw new Error(
      `is '${text}'; it must be s3://bucket/prefix?endpoint=https://host&region=name`,
    );
  }
  if (url.username || url.port || url.hash || other !== undefined) {
    throw new Error(`is '${text}'; s3: takes a bucket, a prefix, endpoint= and region= alone`);
  }
  if (!/^[a-z0-9-]{1,40}$/.test(region)) throw new Error(`has the region '${region}'`);
  const endpoint = given ?? `https://s3.${region}.amazonaws.com`;
  const at = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (!at || at.href !== `${at.origin}/` || !/^https?:$/.test(at.protocol)) {
    throw new Error(`has the endpoint '${endpoint}', which is not an origin such as https://host`);
  }
  if (at.protocol === "http:" && !LOOPBACK.test(at.hostname)) {
    throw new Error(`has the endpoint '${endpoint}'; http: is for this machine alone`);
  }
  const prefix = decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, "");
  return {
    kind: "s3",
    endpoint: at.origin,
    region,
    bucket: url.hostname,
    prefix: prefix && `${prefix}/`,
  };
}
