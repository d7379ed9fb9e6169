/**
 * Reads delivery status notifications in saved mail: which recipients a mail server could not reach (RFC 3464, RFC 6533).
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { isUndeliverableStatus } from "../../../shared/delivery_status.ts";
import { storedEmailSchema } from "../../../shared/email_schema.ts";

/** The report of a mail server about one recipient of a letter. */
export interface RecipientReport {
  /** The address to which the letter was sent; `undefined` if the report has no address that can be on a list. */
  email: string | undefined;
  /** The recipient in the words of the report. */
  recipient: string;
  /** `failed`, `delayed`, `delivered`, `relayed` or `expanded`; empty if the report has no action. */
  action: string;
  /** The enhanced status code, such as `5.1.1` (RFC 3463); empty if the report has no status. */
  status: string;
}

/**
 * Matches a header of mail, or the line before a message in a mailbox file. A text with such a line is saved mail,
 * because a list of addresses has no such line.
 */
const MAIL_HEADER =
  /^(?:From |(?:return-path|delivered-to|received|from|to|subject|date|message-id|mime-version|content-type|x-failed-recipients):)/im;

/**
 * Whether a text is mail. In mail, only the addresses in reports count, because any other address may belong to a sender.
 */
export const isMail = (text: string): boolean => MAIL_HEADER.test(text);

/** Whether a report means that no later letter can reach the address. */
export const isPermanent = ({ action, status }: RecipientReport): boolean =>
  action === "failed" && isUndeliverableStatus(status) === true;

/** Reads all reports in a text. The text is mail, or a report that was saved without the mail around it. */
export function readReports(text: string): RecipientReport[] {
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  const reports = isMail(text) ? [...reportTexts(lines)] : [lines.join("\n")];
  return reports.flatMap(readRecipients);
}

/** Matches a line with a field about one recipient. */
const FIELD = /^(original-recipient|final-recipient|action|status):\s*(.*)$/i;

/** Reads what a report says about each recipient. */
function readRecipients(report: string): RecipientReport[] {
  // A report has a block of fields for each recipient, and a blank line between two blocks (RFC 3464 §2.1).
  return report.split(/\n\s*\n/).flatMap((block) => {
    const fields = readFields(block);
    const finalRecipient = fields.get("final-recipient");
    if (finalRecipient === undefined) return [];
    // The original recipient is preferred, because the final recipient is another address if the mailbox forwards its
    // letters.
    const email = addressIn(fields.get("original-recipient")) ?? addressIn(finalRecipient);
    const [action = ""] = /^\w*/.exec(fields.get("action")?.toLowerCase() ?? "") ?? [];
    const [status = ""] = /^[\d.]*/.exec(fields.get("status") ?? "") ?? [];
    return { email, recipient: email ?? finalRecipient, action, status };
  });
}

/** Reads the fields of a block by name, in lower case. */
function readFields(block: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of unfold(block).split("\n")) {
    const [, name, value = ""] = FIELD.exec(line) ?? [];
    if (name) fields.set(name.toLowerCase(), value.trim());
  }
  return fields;
}

/** Joins the lines of each field. A long field continues in lines that begin with a space (RFC 5322 §2.2.3). */
const unfold = (text: string) => text.replace(/\n[ \t]+/g, " ");

/** Reads an address with its type, such as `rfc822; ada@example.com`; `undefined` if no list can have the address. */
function addressIn(field: string | undefined): string | undefined {
  const [, type, value = ""] = /^(rfc822|utf-8)\s*;\s*<?([^<>\s]+)>?$/i.exec(field ?? "") ?? [];
  const address = (type?.toLowerCase() === "utf-8" ? decodeEmbedded(value) : value).toLowerCase();
  return storedEmailSchema.safeParse(address).success ? address : undefined;
}

/** The last code point of Unicode. */
const MAX_CODE_POINT = 0x10ffff;

/** Decodes escaped characters in an address, such as `\x{2B}` for `+` (RFC 6533 §3). */
const decodeEmbedded = (text: string) =>
  text.replace(/\\x\{([0-9a-f]{2,6})\}/gi, (escaped, hex) => {
    const code = parseInt(hex, 16);
    return code <= MAX_CODE_POINT ? String.fromCodePoint(code) : escaped;
  });

/**
 * Yields the decoded text of each report in mail: a part whose type is `message/delivery-status` or
 * `message/global-delivery-status`.
 */
function* reportTexts(lines: string[]): Generator<string> {
  /** The lines since the last boundary or blank line. If a blank line follows, they are the header of a part. */
  let header: string[] = [];
  /** The report whose lines are being read; `undefined` outside of reports. */
  let report: { encoding: string; body: string[] } | undefined;
  for (const line of lines) {
    if (isBoundary(line)) {
      if (report) yield decode(report.body.join("\n"), report.encoding);
      report = undefined;
      header = [];
    } else if (report) {
      report.body.push(line);
    } else if (line.trim() !== "") {
      header.push(line);
    } else {
      const encoding = encodingOfReport(unfold(header.join("\n")));
      if (encoding !== undefined) report = { encoding, body: [] };
      header = [];
    }
  }
  if (report) yield decode(report.body.join("\n"), report.encoding);
}

/**
 * Returns the transfer encoding that the header of a part names, or an empty text if the header names none; `undefined`
 * if the part is no report.
 */
function encodingOfReport(header: string): string | undefined {
  if (!/^content-type:\s*message\/(?:global-)?delivery-status\b/im.test(header)) return undefined;
  return /^content-transfer-encoding:\s*([\w-]+)/im.exec(header)?.[1]?.toLowerCase() ?? "";
}

/** Whether a line ends a part: a boundary of a multipart message, or the next message in a mailbox file. */
const isBoundary = (line: string) => /^(?:--|From )/.test(line);

function decode(body: string, encoding: string): string {
  if (encoding === "base64") return decodeBase64(body);
  return encoding === "quoted-printable" ? decodeQuotedPrintable(body) : body;
}

/** Decodes base64; text that is not base64 gives an empty text. */
function decodeBase64(body: string): string {
  try {
    const bytes = Uint8Array.from(atob(body), (character) => character.charCodeAt(0));
    return new TextDecoder().decode(bytes).replace(/\r\n?/g, "\n");
  } catch {
    return "";
  }
}

/** Decodes quoted-printable text (RFC 2045 §6.7). */
const decodeQuotedPrintable = (body: string) =>
  body.split("\n").map((line) => line.trimEnd()).join("\n").replace(/=\n/g, "")
    .replace(
      /(?:=[0-9A-F]{2})+/gi,
      (run) => new TextDecoder().decode(Buffer.from(run.replaceAll("=", ""), "hex")),
    )
    .replace(/\r\n?/g, "\n");
