import type { Result } from "../../shared/api_failure.ts";
import { defineCommand } from "../command.ts";
import { connect } from "../connect.ts";
import { readSettings } from "../settings.ts";
import { fetchDocument } from "../validation/document.ts";
import { addReportFlag, readReportTargets } from "../validation/reports.ts";
import { openSession } from "../validation/session.ts";
import { validateService } from "../validation/validate_service.ts";

/** `waitlist smoke`: what an integrator does in the sandbox, then its validation. */
export default defineCommand({
  examples: [
    ["waitlist smoke", "the sandbox of the service at http://localhost:8000"],
    ["waitlist smoke --base-url https://waitlist.example --quiet", "after a deployment"],
    ["waitlist smoke --report junit=smoke.xml", "for a CI system"],
  ],
  declare: addReportFlag,
  parse: ({ flags, variables }) => ({
    settings: readSettings({ ...flags, sandbox: true }, variables),
    reports: readReportTargets(flags),
  }),
  async run({ settings, reports }, context) {
    const session = openSession(settings, context);
    // The number of calls is promised, so none is repeated.
    const client = connect(settings, session.context, { maxWait: 0 });
    const steps: [operation: string, does: string, call: () => Promise<Result<unknown>>][] = [
      ["status", "says that the service is up", client.status],
      ["token", "comes for the published credentials", client.token],
      ["stats", "come for the token", client.stats],
      [
        "join",
        "accepts a sign-up",
        () => client.join({ email: "smoke@example.com", consent: true }),
      ],
    ];
    for (const [operation, does, call] of steps) {
      const { error } = await call();
      session.add({ operation, does, faults: error ? [error.message] : [] });
      if (error) return await session.finish(reports, error);
    }
    const document = await fetchDocument(settings, session.context);
    const failure = await validateService({ settings, document, credentials: undefined }, session);
    return await session.finish(reports, failure);
  },
});
