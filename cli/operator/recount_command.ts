import type { RecountReport } from "../../shared/operator_schemas.ts";
import type { RunnableCommand } from "../command.ts";
import { EXIT } from "../exit_codes.ts";
import { createStyle } from "../output/style.ts";
import type { OperatorClient } from "./client.ts";
import { defineOperatorCommand, type OperatorCommandDefinition } from "./command.ts";
import { longWork } from "./long_work.ts";
import { createProgress } from "./progress.ts";
import { formatBasis, formatDifferences } from "./recount_text.ts";
import { formatUnreadable } from "./unreadable.ts";

/** A command that has the service recount its records. */
export interface RecountCommandDefinition<Report> {
  examples: OperatorCommandDefinition<void>["examples"];
  path: Parameters<OperatorClient["lines"]>[0];
  /** The last lines for people. */
  verdictOn: (report: Report) => string;
  /** Whether the command ends with 0. */
  isFine: (report: Report) => boolean;
}

/** Makes the command: it shows progress, and then the differences, what was recounted and the verdict. */
export function defineRecountCommand<Report extends RecountReport>(
  { examples, path, verdictOn, isFine }: RecountCommandDefinition<Report>,
): RunnableCommand {
  return defineOperatorCommand({
    examples,
    parse: () => undefined,
    async run(_options, { settings, context, connect }) {
      const client = await connect();
      const progress = createProgress(context, settings);
      const report = await longWork<Report>(path, { client, progress });
      const { stdout, variables } = context;
      if (settings.json) stdout.write(`${JSON.stringify(report, null, 2)}\n`);
      else if (!settings.quiet) {
        const style = createStyle(stdout, variables);
        stdout.write(formatDifferences(report, style) + formatBasis(report) + verdictOn(report));
        stdout.write(formatUnreadable(report.unreadable));
      }
      return isFine(report) && report.unreadable.length === 0 ? EXIT.fine : EXIT.failedCheck;
    },
  });
}
