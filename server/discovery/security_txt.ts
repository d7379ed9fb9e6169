/** What `/.well-known/security.txt` says. */
export interface SecurityTxtOptions {
  /** The public origin, `{base_url}`. */
  baseUrl: string;
  /** `mailto:` or `https:` address. */
  contact: string;
  /** The clock, in milliseconds since 1970. */
  now: number;
}

/** How long the file may be relied upon; RFC 9116 §2.5.5 recommends less than a year. */
const VALID_DAYS = 180;

const DAY = 86_400_000;

/**
 * `/.well-known/security.txt` (RFC 9116). It always expires in the future; the moment moves once a
 * UTC day, so that the text and its `ETag` stay the same in between.
 */
export function securityTxt({ baseUrl, contact, now }: SecurityTxtOptions): string {
  const expires = new Date((Math.floor(now / DAY) + VALID_DAYS) * DAY);
  return [
    `Contact: ${contact}`,
    `Expires: ${expires.toISOString()}`,
    "Preferred-Languages: en, de",
    `Canonical: ${baseUrl}/.well-known/security.txt`,
    "",
  ].join("\n");
}
