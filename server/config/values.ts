/** Readers of values. The message of an error that they throw goes on behind the variable's name. @module */
import { shownAddress } from "../../shared/shown_address.ts";

/**
 * A URL of one of some protocols.
 *
 * @param options.withoutUser why it has no user part; without it, there may be one
 * @param options.hidesPath whether its path may be a secret
 */
export function parseUrl(
  text: string,
  protocols: string[],
  { withoutUser, hidesPath = false }: { withoutUser?: string; hidesPath?: boolean } = {},
): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && protocols.includes(url.protocol)) {
    if (withoutUser && (url.username || url.password)) {
      throw new Error(`has a user part${withoutUser}`);
    }
    return url;
  }
  const shown = shownAddress(text, { path: !hidesPath });
  const protocol = protocols.find((protocol) => text.startsWith(`${protocol}//`));
  const wanted = protocol ??
    new Intl.ListFormat("en-GB", { type: "disjunction" }).format(protocols);
  const hint = protocol ? "; check its host and port" : "";
  throw new Error(`is '${shown}', which is not a valid ${wanted} address${hint}`);
}

/** An `http:` or `https:` address that has only scheme, host and port. */
export function parseOrigin(text: string): string {
  const url = parseUrl(text, ["http:", "https:"], { withoutUser: ", which an origin has not" });
  // `href` keeps an empty query or fragment ("https://example.com/?") that `search` does not show.
  if (url.href !== `${url.origin}/`) {
    throw new Error(`is '${shownAddress(text)}'; an origin has no path, query or fragment`);
  }
  return url.origin;
}

/** Origins, separated by spaces, in the form in which a `frame-ancestors` can name them. */
export function parseOrigins(text: string): string[] {
  if (text.includes(",")) {
    throw new Error(`is '${shownAddress(text)}', which has a comma; write a space for it`);
  }
  return text.trim().split(/\s+/).map((each) => {
    const origin = parseOrigin(each);
    // A policy could not name other hosts: it knows no IPv6 address, and `;` would end the directive.
    if (!/^https?:\/\/[a-z0-9.-]+(?::\d+)?$/.test(origin)) {
      throw new Error(`has '${each}', whose host is not a plain name; list each origin by itself`);
    }
    return origin;
  });
}

/** A `mailto:` or `https:` address. */
export function parseContact(text: string): string {
  const url = parseUrl(text, ["mailto:", "https:"]);
  if (url.protocol === "mailto:" && !/^[^@\s]+@[^@\s]+$/.test(decodePercent(url.pathname))) {
    throw new Error(`is '${shownAddress(text)}', which names no mailbox`);
  }
  return url.href;
}

export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

export function parseSiteName(text: string): string {
  if (text.length > 100 || /\p{Cc}/u.test(text)) {
    throw new Error("is longer than 100 characters or has a control character");
  }
  return text;
}

/** Makes the reader of a text that matches a pattern. @param rule goes on behind the value that does not */
export function matching(pattern: RegExp, rule: string) {
  return (text: string) => {
    if (!pattern.test(text)) throw new Error(`is '${text}'${rule}`);
    return text;
  };
}

/** The same for a secret, which the message does not quote. */
export function secretLike(pattern: RegExp, fault: string) {
  return (text: string) => {
    if (!pattern.test(text)) throw new Error(fault);
    return text;
  };
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
