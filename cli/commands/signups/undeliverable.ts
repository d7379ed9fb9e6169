/**
 * `waitlist signups undeliverable`: marks addresses to which no letter shall go.
 *
 * @module
 */
import { defineCommand } from "../../command.ts";
import type { Context } from "../../context.ts";
import { EXIT, UsageError } from "../../errors.ts";
import { quotable } from "../../../shared/api_failure.ts";
import { keptEmailSchema } from "../../../shared/email_schema.ts";
import { cannotRead } from "../../files.ts";
import { retrying } from "../../operator/chunks.ts";
import { OPERATOR, type OperatorClient } from "../../operator/client.ts";
import { createProgress } from "../../operator/progress.ts";
import { plural } from "../../print.ts";
import { addressesOfBounces, isBounce } from "./bounce_text.ts";

/** Where the addresses are. */
interface AddressSource {
  emails: string[];
  file: string | undefined;
}

/** Addresses that go out in one request; with the longest ones, its body has less than 64 KB. */
const ADDRESSES_AT_ONCE = 200;

export default defineCommand<AddressSource, OperatorClient>({
  access: OPERATOR,
  goOn: "run the same command again; an address that is marked already stays so",
  examples: [
    ["waitlist signups undeliverable ada@example.com", "a letter to her came back"],
    [
      "waitlist signups undeliverable --file bounces.txt",
      "one address a line, or bounces as they came; - for standard input",
    ],
  ],
  declare: (command) => {
    command
      .argument("[email...]", "the addresses")
      .option(
        "--file <file>",
        "read them from this file, one a line, or from bounces in it; - is standard input",
      );
  },
  parse({ args: emails, flags }) {
    const file = flags.file as string | undefined;
    if ((emails.length > 0) === (file !== undefined)) {
      throw new UsageError("Say which addresses; give either addresses or --file");
    }
    if (file === "-" && flags.keyStdin) {
      throw new UsageError("--key-stdin and --file - both read standard input; set one otherwise");
    }
    return { emails, file };
  },
  async run({ emails, file }, { context, settings, connect, print }) {
    const { addresses, wrong } = file === undefined
      ? { addresses: emails, wrong: [] }
      : await readAddresses(file, context);
    const client = await connect();
    using progress = createProgress(context, settings);
    const notMarked: string[] = [];
    let marked = 0;
    for (let from = 0; from < addresses.length; from += ADDRESSES_AT_ONCE) {
      const body = { emails: addresses.slice(from, from + ADDRESSES_AT_ONCE) };
      const call = () => client.call("markUndeliverable", { body });
      const report = await retrying(call, { context, progress });
      marked += report.marked;
      notMarked.push(...report.notMarked);
      progress.show(`${marked.toLocaleString("en")} addresses`, from / addresses.length);
    }
    progress.end();
    const unknown = notMarked.map((email) => `Not marked: ${email} is not on the list.\n`);
    return print({
      json: { marked, notMarked, ...file !== undefined && { wrong } },
      text: () =>
        [
          ...wrong.map(({ line, text }) => `Line ${line}: '${text}' is not an e-mail address.\n`),
          ...unknown,
          `Marked ${plural(marked, "address", "addresses")}.\n`,
        ].join(""),
      exitCode: notMarked.length + wrong.length > 0 ? EXIT.failedCheck : EXIT.fine,
    });
  },
});

/** Reads the addresses of a file, one a line or those of the bounces in it; `wrong` has the lines that are none. */
async function readAddresses(file: string, { files, stdin }: Context) {
  const text = file === "-" ? await stdin.readText() : await files.readText(file).catch((error) => {
    throw new UsageError(cannotRead(`'${file}'`, error));
  });
  if (isBounce(text)) {
    const bounced = addressesOfBounces(text);
    if (bounced.length > 0) return { addresses: bounced, wrong: [] };
    throw new UsageError(
      "The bounce says of no address that its letter has failed for good (Action: failed, Status: 5…)",
    );
  }
  const addresses: string[] = [];
  const wrong: { line: number; text: string }[] = [];
  for (const [index, each] of text.split("\n").entries()) {
    const address = each.trim();
    if (keptEmailSchema.safeParse(address).success) addresses.push(address);
    else if (address !== "") wrong.push({ line: index + 1, text: quotable(address, 300) });
  }
  if (addresses.length + wrong.length > 0) return { addresses, wrong };
  throw new UsageError("There is no address to mark; give one a line");
}
