/**
 * `waitlist validate` and `smoke`: check the answers of a running service.
 *
 * @module
 */
import type { Result } from "../../shared/api_failure.ts";
import { connectApi, PUBLIC, WITH_CREDENTIALS } from "../api_access.ts";
import { defineCommand } from "../command.ts";
import { startCheckRun } from "./validate/check_run.ts";
import { fetchDocument, readDocument } from "./validate/document.ts";
import { addReportFlag, readReportTargets } from "./validate/reports.ts";
import { pauseAfter, validateService } from "./validate/validate_service.ts";

/** Checks every operation of a service against its OpenAPI document. */
const validate = defineCommand({
  access: WITH_CREDENTIALS,
  examples: [
    ["waitlist validate --sandbox", "without credentials"],
    ["waitlist validate", "production: at most 25 calls, and nothing is stored"],
    ["waitlist validate --sandbox --report junit=validate.xml", "for a CI system"],
    ["waitlist validate --sandbox --document openapi.json", "against another document"],
  ],
  declare(command) {
    addReportFlag(command);
    command.option("--document <file>", "check against this document, not the served one");
  },
  parse: ({ flags }) => ({
    reports: readReportTargets(flags),
    documentPath: flags.document as string | undefined,
  }),
  async run({ reports, documentPath }, { settings, context, connect }) {
    const { credentials } = await connect();
    const checkRun = startCheckRun(settings, context);
    const document = documentPath === undefined
      ? await fetchDocument(settings, checkRun.context)
      : await readDocument(documentPath, context);
    const failure = await validateService({ settings, document, credentials }, checkRun);
    return await checkRun.finish(reports, failure);
  },
});

/** Does in the sandbox what an integrator does, and then validates it. */
const smoke = defineCommand({
  access: PUBLIC,
  examples: [
    ["waitlist smoke", "the sandbox of the service at http://localhost:8000"],
    ["waitlist smoke --base-url https://waitlist.example --quiet", "after a deployment"],
    ["waitlist smoke --report junit=smoke.xml", "for a CI system"],
  ],
  declare: addReportFlag,
  parse: ({ flags }) => ({ reports: readReportTargets(flags) }),
  async run({ reports }, session) {
    const settings = { ...session.settings, environment: "sandbox" as const };
    const checkRun = startCheckRun(settings, session.context);
    // The documentation promises a number of calls, so no call is repeated but one that the limit has refused.
    const client = connectApi(settings, checkRun.context, { maxWait: 0 });
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
      let { error, headers } = await call();
      if (error?.kind === "limited" && await checkRun.waitForWindow(error.retryAfter ?? 60)) {
        ({ error, headers } = await call());
      }
      checkRun.add({ operation, does, faults: error ? [error.message] : [] });
      if (error || !headers) return await checkRun.finish(reports, error);
      await checkRun.waitForWindow(pauseAfter(headers));
    }
    const document = await fetchDocument(settings, checkRun.context);
    const failure = await validateService({ settings, document, credentials: undefined }, checkRun);
    return await checkRun.finish(reports, failure);
  },
});

export default { validate, smoke };
