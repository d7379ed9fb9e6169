/**
 * Functions that each read the value of one environment variable. The message of an error that they throw
 * is the end of a sentence that begins with the name of the variable (`variables.ts`).
 *
 * @module
 */

import { dirname, relative, resolve, sep } from "node:path";

/** The project's folder. */
export const PROJECT = resolve(import.meta.dirname ?? ".", "../..");

/** The folders of the project that hold the program. */
const PROGRAM_FOLDERS = [
  "server",
  "cli",
  "shared",
  "openapi",
  "content",
  "tests",
  "node_modules",
  ".ci",
  ".git",
];

/** Whether write access to a folder allows to change the program. */
export function holdsProgram(folder: string): boolean {
  const [first = ""] = relative(PROJECT, folder).split(sep);
  if (first !== "..") return first === "" || PROGRAM_FOLDERS.includes(first);
  return relative(folder, PROJECT).split(sep)[0] !== "..";
}

/** A URL of one of some protocols. */
export function parseUrl(text: string, protocols: string[]): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !protocols.includes(url.protocol)) {
    // The text between a `:` and an `@` may be a password, even in a mistyped address.
    const shown = text.replace(/^.*:.*@/s, "…@");
    const protocol = protocols.find((protocol) => text.startsWith(`${protocol}//`));
    const wanted = protocol ??
      new Intl.ListFormat("en-GB", { type: "disjunction" }).format(protocols);
    const hint = protocol ? "; check its host and port" : "";
    throw new Error(`is '${shown}', which is no ${wanted} address${hint}`);
  }
  return url;
}

/** An `http:` or `https:` address that has only scheme, host and port. */
export function parseOrigin(text: string): string {
  const url = parseUrl(text, ["http:", "https:"]);
  if (url.username || url.password) throw new Error("has a user part, which an origin has not");
  // `href` keeps an empty query or fragment ("https://example.com/?") that `search` does not show.
  if (url.href !== `${url.origin}/`) {
    throw new Error(`is '${text}'; an origin has no path, query or fragment`);
  }
  return url.origin;
}

/** Origins, separated by spaces, in the form in which a `frame-ancestors` can name them. */
export function parseOrigins(text: string): string[] {
  return text.trim().split(/\s+/).map((each) => {
    const origin = parseOrigin(each);
    // A policy could not name other hosts: it knows no IPv6 address, and `;` would end the directive.
    if (!/^https?:\/\/[a-z0-9.-]+(?::\d+)?$/.test(origin)) {
      throw new Error(`has '${each}', whose host is no plain name; list each origin by itself`);
    }
    return origin;
  });
}

/**
 * The path of a KV file. Deno's name for a KV in memory is refused, as the service must keep the sign-ups that
 * it accepts. A file beside the program is refused, as the service may write to the folder of the file.
 */
export function parseKvPath(text: string): string {
  if (text === ":memory:") {
    throw new Error(`is '${text}'; it takes a file, as sign-ups in memory end with the process`);
  }
  const folder = dirname(resolve(PROJECT, text));
  if (holdsProgram(folder)) {
    throw new Error(
      `is '${text}'; the service may write to the file's folder, and '${folder}' holds its own code. ` +
        "Give the file a folder of its own",
    );
  }
  return text;
}

/** The address of a KV server, without the access token. */
export function parseKvUrl(text: string): string {
  const url = parseUrl(text, ["http:", "https:"]);
  if (url.username || url.password) {
    throw new Error("has a user part; the access token goes into DENO_KV_ACCESS_TOKEN");
  }
  return text;
}

/** A `mailto:` or `https:` address. */
export function parseContact(text: string): string {
  const url = parseUrl(text, ["mailto:", "https:"]);
  if (url.protocol === "mailto:" && !/^[^@\s]+@[^@\s]+$/.test(decodePercent(url.pathname))) {
    throw new Error(`is '${text}', which names no mailbox`);
  }
  return url.href;
}

/** Percent-decoded text; empty where it cannot be. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

/** The least number of different characters of an operator key; random text nearly always has more. */
const MIN_DIFFERENT_CHARACTERS = 10;

/** An operator key, which must be hard to guess and fit into a header. Errors never quote it. */
export function parseKey(text: string): string {
  if (text.length < 32) {
    throw new Error(`has ${text.length} characters; it needs 32 or more`);
  }
  const different = new Set(text).size;
  if (different < MIN_DIFFERENT_CHARACTERS) {
    throw new Error(
      `has ${different} different characters; it needs ${MIN_DIFFERENT_CHARACTERS} or more, ` +
        "so that it is hard to guess",
    );
  }
  if (!/^[\x21-\x7e]+$/.test(text)) {
    throw new Error("has a character that no HTTP header can carry; use visible ASCII");
  }
  return text;
}

/** A host name or address to listen on. */
export function parseHost(text: string): string {
  if (!/^[A-Za-z0-9.:_-]+$/.test(text)) {
    throw new Error(`is '${text}', which is no host name or address`);
  }
  return text;
}

/** A name that can stand in a host name. */
export function parseServiceName(text: string): string {
  if (!/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(text)) {
    throw new Error(`is '${text}'; use up to 63 of a-z, 0-9 and inner hyphens`);
  }
  return text;
}

/** A `client_id` of characters that need no escaping in a URL. */
export function parseClientId(text: string): string {
  if (!/^[A-Za-z0-9._~-]{1,128}$/.test(text)) {
    throw new Error(`is '${text}'; use up to 128 of A-Z a-z 0-9 . _ ~ -`);
  }
  return text;
}

/**
 * The path of the folder that lies over the built-in content. A comma is refused, as Deno separates the folders
 * that the process may read by commas.
 */
export function parseContentPath(text: string): string {
  const folder = resolve(PROJECT, text);
  if (folder.includes(",")) {
    throw new Error(`is '${text}', a path with a comma, which the start task cannot allow to read`);
  }
  return text;
}

/** A name to show on pages. */
export function parseSiteName(text: string): string {
  if (text.length > 100 || /\p{Cc}/u.test(text)) {
    throw new Error("is longer than 100 characters or has a control character");
  }
  return text;
}

/** Makes the reader of a whole number between two, both included. */
export function wholeNumber(from: number, to: number) {
  return (text: string) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < from || value > to) {
      throw new Error(`is '${text}'; it must be a whole number from ${from} to ${to}`);
    }
    return value;
  };
}

/** Makes the reader of one of some words. */
export function oneOf<T extends string>(values: readonly T[]) {
  return (text: string): T => {
    const value = values.find((value) => value === text);
    if (!value) throw new Error(`is '${text}'; it must be one of ${values.join(", ")}`);
    return value;
  };
}
