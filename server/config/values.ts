/**
 * Functions that read the values of variables. They throw errors whose messages continue after the name of the
 * variable, as in "PORT is 'x'; it must be …". @module
 */
import { LOOPBACK } from "../../shared/loopback.ts";
import { redactUrl } from "../../shared/redact_url.ts";

/**
 * Reads a URL.
 *
 * @param protocols the accepted protocols, with their colons
 * @param options.userFault if given, a URL with a user is refused; the text follows "has a user part" in the message
 * @param options.hidesPath whether errors leave out the path, because it may be a secret
 */
export function parseUrl(
  text: string,
  protocols: string[],
  { userFault, hidesPath = false }: { userFault?: string; hidesPath?: boolean } = {},
): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && protocols.includes(url.protocol)) {
    if (userFault !== undefined && (url.username || url.password)) {
      throw new Error(`has a user part${userFault}`);
    }
    return url;
  }
  const redactedText = redactUrl(text, { path: !hidesPath });
  const protocol = protocols.find((protocol) => text.startsWith(`${protocol}//`));
  if (protocol) {
    throw new Error(
      `is '${redactedText}', which is not a valid ${protocol} address; check its host and port`,
    );
  }
  const anyProtocol = new Intl.ListFormat("en-GB", { type: "disjunction" }).format(protocols);
  throw new Error(`is '${redactedText}', which is not a valid ${anyProtocol} address`);
}

/** Reads a URL to which the service sends personal data: `https:`, or `http:` for a loopback host. */
export function parseCalledUrl(text: string): string {
  const url = parseUrl(text, ["https:", "http:"], {
    userFault: ", which is not sent",
    hidesPath: true,
  });
  if (url.protocol === "http:" && !LOOPBACK.test(url.hostname)) {
    throw new Error(
      `calls '${url.host}' by http:, which is for this machine alone, because addresses of people are ` +
        "sent there; it must be https:",
    );
  }
  return url.href;
}

/** Reads an origin: an `http:` or `https:` URL that has only scheme, host and port. */
export function parseOrigin(text: string): string {
  const url = parseUrl(text, ["http:", "https:"], { userFault: ", which an origin has not" });
  // The whole URL is compared, because `search` does not show an empty query ("https://example.com/?").
  if (url.href !== `${url.origin}/`) {
    throw new Error(`is '${redactUrl(text)}'; an origin has no path, query or fragment`);
  }
  return url.origin;
}

/**
 * Reads origins that are separated by spaces. Only origins that the directive `frame-ancestors` can name are accepted.
 */
export function parseOrigins(text: string): string[] {
  if (text.includes(",")) {
    throw new Error(`is '${redactUrl(text)}', which has a comma; write a space for it`);
  }
  return text.trim().split(/\s+/).map((originText) => {
    const origin = parseOrigin(originText);
    // The host must be a plain name, because a Content-Security-Policy has no form for an IPv6 address, and a `;` in
    // the host would end the directive.
    if (!/^https?:\/\/[a-z0-9.-]+(?::\d+)?$/.test(origin)) {
      throw new Error(
        `has '${originText}', whose host is not a plain name; list each origin by itself`,
      );
    }
    return origin;
  });
}

/** Reads a contact address, a URL with `mailto:` or `https:`. */
export function parseContact(text: string): string {
  const url = parseUrl(text, ["mailto:", "https:"]);
  if (url.protocol === "mailto:" && !/^[^@\s]+@[^@\s]+$/.test(decodePercent(url.pathname))) {
    throw new Error(`is '${redactUrl(text)}', which names no mailbox`);
  }
  return url.href;
}

/** Decodes percent-encoding. Gives an empty text for a text with malformed percent-encoding. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

/** How many characters the name of the site has at most. */
const MAX_SITE_NAME_LENGTH = 100;

/** Reads the name of the site. It has no control characters. */
export function parseSiteName(text: string): string {
  if (text.length > MAX_SITE_NAME_LENGTH || /\p{Cc}/u.test(text)) {
    throw new Error(
      `is longer than ${MAX_SITE_NAME_LENGTH} characters or has a control character`,
    );
  }
  return text;
}

/**
 * Makes a function that reads a text, and refuses a text that does not match a pattern.
 *
 * @param rule the end of the error message, after the wrong value
 */
export function textMatching(pattern: RegExp, rule: string) {
  return (text: string) => {
    if (!pattern.test(text)) throw new Error(`is '${text}'${rule}`);
    return text;
  };
}

/**
 * Makes a function that reads a secret, and refuses a secret that does not match a pattern.
 *
 * @param fault the whole error message, which never quotes the secret
 */
export function secretMatching(pattern: RegExp, fault: string) {
  return (text: string) => {
    if (!pattern.test(text)) throw new Error(fault);
    return text;
  };
}

/** Makes a function that reads a whole number from `min` to `max`. */
export function wholeNumber(min: number, max: number) {
  return (text: string) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new Error(`is '${text}'; it must be a whole number from ${min} to ${max}`);
    }
    return value;
  };
}

/** Makes a function that reads one of the given words. */
export function oneOf<Word extends string>(words: readonly Word[]) {
  return (text: string): Word => {
    const word = words.find((word) => word === text);
    if (!word) throw new Error(`is '${text}'; it must be one of ${words.join(", ")}`);
    return word;
  };
}
