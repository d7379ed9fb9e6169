/** Finds in the text of mail what mail servers report of its recipients (RFC 3464, RFC 6533). @module */
import { endsLetters } from "../../../shared/delivery_status.ts";
import { keptEmailSchema } from "../../../shared/email_schema.ts";

/** The report of a mail server about one recipient of a letter. */
export interface RecipientReport {
  /** The address to which the letter was sent; absent where the report names none that a list can have. */
  email: string | undefined;
  /** The recipient as the report names it. */
  recipient: string;
  /** `failed`, `delayed`, `delivered`, `relayed` or `expanded`; empty where the report has none. */
  action: string;
  /** The enhanced status code, such as `5.1.1` (RFC 3463); empty where the report has none. */
  status: string;
}

/** A header of mail, or the line before a message in a mailbox file: lists of addresses have neither. */
const MAIL_HEADER =
  /^(?:From |(?:return-path|delivered-to|received|from|to|subject|date|message-id|mime-version|content-type|x-failed-recipients):)/im;

/** Whether a text is mail, in which an address can stand for anything. */
export const isMail = (text: string): boolean => MAIL_HEADER.test(text);

/** Whether a report says that no later letter will reach the address either. */
export const isPermanent = ({ action, status }: RecipientReport): boolean =>
  action === "failed" && endsLetters(status) === true;

/** Reads the reports in the text of mail, or in a report that was saved alone. */
export function readReports(text: string): RecipientReport[] {
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  const parts = isMail(text) ? [...deliveryStatuses(lines)] : [lines.join("\n")];
  return parts.flatMap(readRecipients);
}

/** The fields of a report that one recipient has. */
const FIELD = /^(original-recipient|final-recipient|action|status):\s*(.*)$/i;

function readRecipients(part: string): RecipientReport[] {
  // A report has a block of fields for each recipient, and a blank line between two blocks (RFC 3464 §2.1).
  return part.split(/\n\s*\n/).flatMap((block) => {
    const fields = new Map(
      unfold(block).split("\n").flatMap((line) => {
        const [, name = "", value = ""] = FIELD.exec(line) ?? [];
        return name ? [[name.toLowerCase(), value.trim()] as const] : [];
      }),
    );
    const final = fields.get("final-recipient");
    if (final === undefined) return [];
    // The final recipient is another one where the mailbox forwards its letters.
    const email = addressIn(fields.get("original-recipient")) ?? addressIn(final);
    const [action = ""] = /^\w*/.exec(fields.get("action")?.toLowerCase() ?? "") ?? [];
    const [status = ""] = /^[\d.]*/.exec(fields.get("status") ?? "") ?? [];
    return { email, recipient: email ?? final, action, status };
  });
}

/** Joins the lines of each field, because a long field continues in lines that begin with a space (RFC 5322 §2.2.3). */
const unfold = (text: string) => text.replace(/\n[ \t]+/g, " ");

/** Reads a typed address, such as `rfc822; ada@example.com`; `undefined` where a list has no such address. */
function addressIn(field: string | undefined): string | undefined {
  const [, type, value = ""] = /^(rfc822|utf-8)\s*;\s*<?([^<>\s]+)>?$/i.exec(field ?? "") ?? [];
  const address = (type?.toLowerCase() === "utf-8" ? decodeEmbedded(value) : value).toLowerCase();
  return keptEmailSchema.safeParse(address).success ? address : undefined;
}

/** Decodes characters that an address has as numbers, such as `\x{2B}` for `+` (RFC 6533 §3). */
const decodeEmbedded = (text: string) =>
  text.replace(/\\x\{([0-9a-f]{2,6})\}/gi, (all, hex) => {
    const code = parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });

/** Gives the text of each `message/delivery-status` part of mail, without its transfer encoding. */
function* deliveryStatuses(lines: string[]): Generator<string> {
  /** The lines since the last boundary or blank line. They are the header of a part if a blank line follows. */
  let header: string[] = [];
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!;
    if (isBoundary(line)) {
      header = [];
    } else if (line.trim() !== "") {
      header.push(line);
    } else {
      const encoding = encodingOfReport(unfold(header.join("\n")));
      header = [];
      if (encoding === undefined) continue;
      const from = index + 1;
      while (index + 1 < lines.length && !isBoundary(lines[index + 1]!)) index++;
      yield decode(lines.slice(from, index + 1).join("\n"), encoding);
    }
  }
}

/** Gives how a report with this header is encoded; `undefined` for the header of another part. */
function encodingOfReport(header: string): string | undefined {
  if (!/^content-type:\s*message\/(?:global-)?delivery-status\b/im.test(header)) return undefined;
  return /^content-transfer-encoding:\s*([\w-]+)/im.exec(header)?.[1]?.toLowerCase() ?? "";
}

/** Whether a line ends a part: the boundary of a multipart message, or the beginning of the next in a mailbox file. */
const isBoundary = (line: string) => /^(?:--|From )/.test(line);

function decode(body: string, encoding: string): string {
  if (encoding === "base64") return decodeBase64(body);
  return encoding === "quoted-printable" ? decodeQuotedPrintable(body) : body;
}

/** Gives an empty text where the encoding is wrong. */
function decodeBase64(body: string): string {
  try {
    const bytes = Uint8Array.fromBase64(body);
    return new TextDecoder().decode(bytes).replace(/\r\n?/g, "\n");
  } catch {
    return "";
  }
}

/** RFC 2045 §6.7. */
const decodeQuotedPrintable = (body: string) =>
  body.split("\n").map((line) => line.trimEnd()).join("\n").replace(/=\n/g, "")
    .replace(
      /(?:=[0-9A-F]{2})+/gi,
      (run) => new TextDecoder().decode(Uint8Array.fromHex(run.replaceAll("=", ""))),
    )
    .replace(/\r\n?/g, "\n");
