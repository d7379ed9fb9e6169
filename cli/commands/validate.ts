import { defineCommand } from "../command.ts";
import { addCredentialsFlags, getCredentials, readCredentialsSource } from "../credentials.ts";
import { readSettings } from "../settings.ts";
import { fetchDocument, readDocument } from "../validation/document.ts";
import { addReportFlag, readReportTargets } from "../validation/reports.ts";
import { openSession } from "../validation/session.ts";
import { validateService } from "../validation/validate_service.ts";

/** `waitlist validate`: holds a service against its OpenAPI document. */
export default defineCommand({
  examples: [
    ["waitlist validate --sandbox", "without credentials"],
    ["waitlist validate", "production: at most 25 calls, and nothing is stored"],
    ["waitlist validate --sandbox --report junit=validate.xml", "for a CI system"],
    ["waitlist validate --sandbox --document openapi.json", "against another document"],
  ],
  declare(command) {
    addCredentialsFlags(command);
    addReportFlag(command);
    command.option("--document <file>", "hold it against this document, not the served one");
  },
  parse: (input) => {
    const settings = readSettings(input.flags, input.variables);
    return {
      settings,
      credentials: readCredentialsSource(input, settings),
      reports: readReportTargets(input.flags),
      documentPath: input.flags.document as string | undefined,
    };
  },
  async run({ settings, credentials: source, reports, documentPath }, context) {
    const credentials = await getCredentials(source, context);
    const session = openSession(settings, context);
    const document = documentPath === undefined
      ? await fetchDocument(settings, session.context)
      : await readDocument(documentPath, context);
    const failure = await validateService({ settings, document, credentials }, session);
    return await session.finish(reports, failure);
  },
});
