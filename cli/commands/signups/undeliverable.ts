/**
 * `waitlist signups undeliverable`: marks addresses as undeliverable, so that no letters go there. The addresses come from
 * the command line, from a list, or from bounces in saved mail.
 *
 * @module
 */
import { quotable } from "../../../shared/api_failure.ts";
import { storedEmailSchema } from "../../../shared/email_schema.ts";
import type { Context } from "../../context.ts";
import { UsageError } from "../../errors.ts";
import { cannotRead } from "../../file_errors.ts";
import { plural } from "../../format.ts";
import { checkStandardInput, isStandardInput } from "../../input.ts";
import { withRetries } from "../../operator/cuts.ts";
import { defineAddressCommand } from "./address_command.ts";
import { isMail, isPermanent, readReports, type RecipientReport } from "./bounce_text.ts";

/** How many characters of a wrong line are shown at most. */
const MAX_LINE_LENGTH = 300;

/** How many addresses a call has at most. Even with the longest addresses, the body is smaller than 64 KB. */
const MAX_ADDRESSES = 200;

export default defineAddressCommand({
  resumeAdvice:
    "to go on, run the same command again; addresses that are already marked stay marked",
  examples: [
    ["waitlist signups undeliverable ada@example.com", "an e-mail to her came back"],
    [
      "waitlist signups undeliverable --file bounces.txt",
      "one address a line, or saved bounces",
    ],
  ],
  addresses: ["[email...]", "the addresses"],
  declare: (command) => {
    command.option(
      "--file <file>",
      "a file with one address a line, or with saved bounces; - for standard input",
    ).option("--reason <text>", "why, for the history of each person; without an address");
  },
  parse(emails, flags) {
    const file = flags.file as string | undefined;
    if ((emails.length > 0) === (file !== undefined)) {
      throw new UsageError(
        "It is not clear which addresses to mark; give either addresses or --file",
      );
    }
    checkStandardInput(file, flags);
    return { emails, file, reason: flags.reason as string | undefined };
  },
  async act({ emails, file, reason }, { context, connect, progress }) {
    const { addresses, wrongLines, unmarkedReports } = file === undefined
      ? { addresses: emails, wrongLines: [], unmarkedReports: [] }
      : await readAddresses(file, context);
    const client = await connect();
    const notMarked: string[] = [];
    let marked = 0;
    for (let from = 0; from < addresses.length; from += MAX_ADDRESSES) {
      const body = {
        emails: addresses.slice(from, from + MAX_ADDRESSES),
        ...reason !== undefined && { reason },
      };
      const call = () => client.call("markUndeliverable", { body });
      const report = await withRetries(call, { context, progress });
      marked += report.marked;
      notMarked.push(...report.notMarked);
      progress.show(plural(marked, "address", "addresses"), from / addresses.length);
    }
    return {
      json: {
        marked,
        notMarked,
        // The name `otherReports` must not change, because programs read it.
        ...file !== undefined && { wrong: wrongLines, otherReports: unmarkedReports },
      },
      notDoneLines: [
        ...wrongLines.map(({ line, text }) =>
          `Line ${line}: '${text}' is not an e-mail address.\n`
        ),
        ...unmarkedReports.map(describeUnmarkedReport),
        ...notMarked.map((email) =>
          `Not marked as undeliverable: ${email} is not on the list, or the record of this address cannot be read.\n`
        ),
      ],
      text: () => `Marked ${plural(marked, "address", "addresses")}.\n`,
    };
  },
});

/** A report that marks no address as undeliverable. Its texts have no control characters, so they can be printed. */
type UnmarkedReport = Omit<RecipientReport, "email">;

function describeUnmarkedReport({ recipient, action, status }: UnmarkedReport): string {
  const report = `${action || "no action"}, ${status || "no status"}`;
  return `Not marked as undeliverable: ${recipient}, because the mailbox may exist: the delivery report says '${report}' of this address.\n`;
}

/** A line that is no address, with its number. */
interface WrongLine {
  line: number;
  text: string;
}

/** What a file contains: addresses to mark, wrong lines, and reports that mark no address. */
interface AddressFile {
  /** The addresses to mark. */
  addresses: string[];
  /** The lines that are no addresses. */
  wrongLines: WrongLine[];
  /** The reports for which no address is marked. */
  unmarkedReports: UnmarkedReport[];
}

/** Reads the addresses in a file, which is a list or saved mail. */
async function readAddresses(file: string, { files, stdin }: Context): Promise<AddressFile> {
  const text = isStandardInput(file)
    ? await stdin.readText()
    : await files.readText(file).catch((error) => {
      throw new UsageError(cannotRead(`'${file}'`, error));
    });
  const reports = readReports(text);
  if (reports.length > 0) return { ...splitReports(reports), wrongLines: [] };
  if (isMail(text)) {
    throw new UsageError(
      `The mail in '${file}' has no delivery report that this program can read (a part of ` +
        "the type message/delivery-status, RFC 3464); read the mail yourself, and give the addresses whose mailboxes " +
        "do not exist",
    );
  }
  const addresses: string[] = [];
  const wrongLines: WrongLine[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    const address = line.trim();
    if (storedEmailSchema.safeParse(address).success) addresses.push(address);
    else if (address !== "") {
      wrongLines.push({ line: index + 1, text: quotable(address, MAX_LINE_LENGTH) });
    }
  }
  if (addresses.length + wrongLines.length > 0) {
    return { addresses, wrongLines, unmarkedReports: [] };
  }
  throw new UsageError(`'${file}' has no address; write one address on each line`);
}

/**
 * Separates the reports about addresses to mark from the other reports. One permanent failure is enough to mark an
 * address.
 */
function splitReports(reports: RecipientReport[]) {
  const permanent = reports.flatMap((report) => isPermanent(report) ? report.email ?? [] : []);
  const addresses = [...new Set(permanent)];
  const unmarkedReports = reports
    .filter(({ email }) => email === undefined || !addresses.includes(email))
    .map(({ recipient, action, status }) => ({ recipient: quotable(recipient), action, status }));
  return { addresses, unmarkedReports };
}
