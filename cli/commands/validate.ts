/**
 * `waitlist validate` and `waitlist smoke`: check the answers of a running service against the OpenAPI document.
 *
 * @module
 */
import type { Result } from "../../shared/api_failure.ts";
import { environmentBase } from "../../shared/environments.ts";
import { send } from "../../shared/send.ts";
import { connectApi, CREDENTIALS_ACCESS, PUBLIC_ACCESS } from "../api_access.ts";
import { defineCommand } from "../command.ts";
import type { Context } from "../context.ts";
import { UsageError } from "../errors.ts";
import { cannotRead } from "../file_errors.ts";
import { chooseFetch } from "../http_log.ts";
import type { Settings } from "../settings.ts";
import { type CheckRun, startCheckRun } from "./validate/check_run.ts";
import { addReportFlag, readReportTargets } from "./validate/reports.ts";
import { environmentFaults, pauseAfter, validateService } from "./validate/validate_service.ts";

const validate = defineCommand({
  access: CREDENTIALS_ACCESS,
  examples: [
    ["waitlist validate --sandbox", "without credentials"],
    ["waitlist validate", "production; it makes at most 25 calls and stores nothing"],
    ["waitlist validate --sandbox --report junit=validate.xml", "for a CI system"],
    ["waitlist validate --sandbox --document openapi.json", "against another document"],
  ],
  declare(command) {
    addReportFlag(command);
    command.option("--document <file>", "check against this document, not the service's own");
  },
  parse: ({ flags }) => ({
    reports: readReportTargets(flags),
    documentPath: flags.document as string | undefined,
  }),
  async run({ reports, documentPath }, { settings, context, connect }) {
    const { credentials } = await connect();
    const checkRun = startCheckRun(settings, context);
    const { data: document, error } = documentPath === undefined
      ? await fetchDocument(settings, checkRun)
      : { data: await readDocument(documentPath, context) };
    const failure = error ??
      await validateService({ settings, document, documentPath, credentials }, checkRun);
    return await checkRun.finish(reports, failure);
  },
});

/** Makes the calls of an integrator in the sandbox, and then validates the sandbox. */
const smoke = defineCommand({
  access: PUBLIC_ACCESS,
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
    // With `maxWait: 0` the client never repeats a call by itself, because the documentation says how many calls this
    // command makes. Only `sendAgainAfterLimit()` repeats a call that the limit refused.
    const client = connectApi(settings, checkRun.context, { maxWait: 0 });
    const steps: { operation: string; does: string; call: () => Promise<Result<object>> }[] = [
      { operation: "status", does: "says that the service is up", call: client.status },
      { operation: "token", does: "comes for the published credentials", call: client.token },
      { operation: "stats", does: "come for the token", call: client.stats },
      {
        operation: "join",
        does: "accepts a sign-up",
        call: () => client.join({ email: "smoke@example.com", consent: true }),
      },
    ];
    for (const { operation, does, call } of steps) {
      const { data, error, headers } = await checkRun.sendAgainAfterLimit(call);
      const faults = error ? [error.message] : environmentFaults(data, "sandbox");
      checkRun.add({ operation, does, faults });
      if (error) return await checkRun.finish(reports, error);
      await checkRun.waitForWindow(pauseAfter(headers));
    }
    const { data: document, error } = await fetchDocument(settings, checkRun);
    const options = { settings, document, documentPath: undefined, credentials: undefined };
    return await checkRun.finish(reports, error ?? await validateService(options, checkRun));
  },
});

/** Fetches and parses the OpenAPI document of the service. */
function fetchDocument(
  settings: Settings,
  { context, sendAgainAfterLimit }: CheckRun,
): Promise<Result<unknown>> {
  const { baseUrl, environment, timeout } = settings;
  const request = new Request(`${environmentBase(baseUrl, environment)}/openapi.json`);
  const options = {
    timeout,
    maxWait: 0,
    clock: context.clock,
    fetch: chooseFetch(settings, context),
  };
  return sendAgainAfterLimit(() => send(request, options));
}

/** Reads and parses an OpenAPI document in a JSON file. */
async function readDocument(path: string, { files }: Context): Promise<unknown> {
  const text = await files.readText(path).catch((error) => {
    throw new UsageError(cannotRead(`the document '${path}'`, error));
  });
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(
      `The document '${path}' is not JSON; give a file with the document that a service has at /openapi.json`,
    );
  }
}

export default { validate, smoke };
