import { UsageError } from "../../cli_error.ts";
import { EXIT } from "../../exit_codes.ts";
import { askFirst } from "../../operator/ask_first.ts";
import { defineOperatorCommand } from "../../operator/command.ts";
import { ROTATED_CLIENT } from "../../operator/shapes.ts";
import { formatFields } from "../../output/fields.ts";
import { createStyle } from "../../output/style.ts";

/** `waitlist clients rotate`: gives a client a new secret. */
export default defineOperatorCommand({
  examples: [
    ["waitlist clients rotate kVx2Qd0nRzM4aTfW", "the old secret works for another 7 days"],
    ["waitlist clients rotate kVx2Qd0nRzM4aTfW --overlap 12h", "for another 12 hours"],
    ["waitlist clients rotate kVx2Qd0nRzM4aTfW --overlap 0s", "ends all old ones; asks first"],
  ],
  declare: (command) => {
    command
      .argument("<client_id>", "the client")
      .option("--overlap <time>", "how long the old secret stays valid, such as 30m or 7d", "7d")
      .option("-y, --yes", "do not ask first, where old secrets are to end at once");
  },
  parse: ({ args, flags }) => ({
    clientId: args[0]!,
    overlapSeconds: parseOverlap(String(flags.overlap)),
    yes: flags.yes === true,
  }),
  async run({ clientId, overlapSeconds, yes }, { settings, context, connect }) {
    if (overlapSeconds === 0 && !yes) {
      await askFirst(`End all present secrets of ${clientId} at once?`, context);
    }
    const { http, read } = await connect();
    const rotated = await read(
      ROTATED_CLIENT,
      http.POST("/operator/v1/clients/{client_id}/rotate", {
        params: { path: { client_id: clientId } },
        body: { overlapSeconds },
      }),
    );
    const { stdout, stderr, variables } = context;
    if (settings.json) stdout.write(`${JSON.stringify(rotated, null, 2)}\n`);
    else if (settings.quiet) stdout.write(`${rotated.client_secret}\n`);
    else {
      stdout.write(formatFields([
        ["client_id", rotated.client_id],
        ["client_secret", rotated.client_secret],
        ["old one until", rotated.oldSecretUntil],
      ], createStyle(stdout, variables)));
      stderr.write("Keep the secret now; it is not shown again. It works within a second.\n");
    }
    return EXIT.fine;
  },
});

const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 };

function parseOverlap(text: string): number {
  const [, digits = "", unit = "s"] = /^(\d{1,8})([smhd])$/.exec(text) ?? [];
  if (digits === "") {
    throw new UsageError(`--overlap is '${text}'; give a time such as 0s, 30m, 12h or 7d`);
  }
  return Number(digits) * SECONDS[unit as keyof typeof SECONDS];
}
