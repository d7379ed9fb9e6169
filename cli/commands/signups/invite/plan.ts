/** What a wave would do: asks the service, and says it. @module */
import type { NotInvited, WavePlan, WaveRequest } from "../../../../shared/operator_schemas.ts";
import type { Session } from "../../../command.ts";
import { CliError, EXIT } from "../../../errors.ts";
import { retrying } from "../../../operator/chunks.ts";
import type { OperatorClient } from "../../../operator/client.ts";
import { shareOf, type Work } from "../../../operator/progress.ts";
import { plural } from "../../../print.ts";

/** Asks for a plan, about a second of it at a time, and shows how far it is. */
export async function planOf(body: WaveRequest, work: Work): Promise<WavePlan> {
  let after: NonNullable<WaveRequest["after"]> = {};
  for (;;) {
    const call = () => work.client.call("startWave", { body: { ...body, dryRun: true, after } });
    const plan = await retrying(call, work);
    if (!("wouldInvite" in plan)) throw new CliError("The service has no plan", EXIT.failedCheck);
    if (!plan.next) return plan;
    const { read, total } = plan;
    work.progress.show(`${read.toLocaleString("en")} people looked at`, shareOf(read, total));
    after = plan.next;
  }
}

/** The question before a wave. */
export function describePlan(
  { wouldInvite, passedOver }: WavePlan,
  { link, letters, expires }: WaveRequest,
  { settings }: Session<OperatorClient>,
  output: string | undefined,
): string {
  const people = plural(wouldInvite, "person", "people");
  const means = letters
    ? `Each gets a letter that leads to ${link}${link.includes("{code}") ? "" : ", without a code"}`
    : `No letter is sent; their data goes to ${output}`;
  const until = expires === undefined ? "" : `; valid until ${expires}`;
  return `Invite ${people} at ${settings.baseUrl}? ${means}${until}. ` +
    `${describeCounts(passedOver)}This cannot be undone.`;
}

function describeCounts(passedOver: WavePlan["passedOver"]): string {
  const counts = Object.entries(passedOver).filter(([, count]) => count > 0)
    .map(([reason, count]) => `${count.toLocaleString("en")} ${reason}`);
  return counts.length === 0 ? "" : `Passed over: ${counts.join(", ")}. `;
}

/** Warns of a link without a code. */
export const NO_CODE =
  "waitlist: The link has no {code}, so the letters do not contain people's invitation " +
  "codes, although the built-in letter says that its link does; put {code} into --link.";

const REASONS: Record<NotInvited["reason"], string> = {
  unknown: "is not on the list",
  unconfirmed: "has not confirmed yet",
  invited: "was invited before",
  undeliverable: "is marked as undeliverable",
  complained: "reported a letter as spam",
  unreadable: "has a record that cannot be read",
};

/** The most people whom the text names. */
const MAX_NAMED = 20;

/** Says who of the named people is not invited. */
export function describePassedOver(notInvited: NotInvited[]): string {
  const named = notInvited.slice(0, MAX_NAMED)
    .map(({ email, reason }) => `Passed over: ${email} ${REASONS[reason]}.\n`);
  const rest = notInvited.length - named.length;
  if (rest > 0) named.push(`Passed over: ${plural(rest, "other person", "other people")}.\n`);
  return named.join("");
}

/** Prints a plan, with the first people whom the wave would invite. */
export function printPlan(plan: WavePlan, { print }: Session<OperatorClient>) {
  const { wouldInvite, people, passedOver, notInvited } = plan;
  const count = plural(wouldInvite, "person", "people");
  // Whoever is named and passed over stands above by name.
  const counts = notInvited ? "" : describeCounts(passedOver).replace(/ $/, "\n");
  const all = wouldInvite > people.length ? " in all" : "";
  const who = people.map(({ email, createdAt }) =>
    `Would invite: ${email}, on the list since ${createdAt}.\n`
  );
  return print({
    json: { wouldInvite, passedOver, notInvited: notInvited ?? [], people, dryRun: true },
    text: () =>
      describePassedOver(notInvited ?? []) + counts +
      (wouldInvite === 0
        ? "Nobody is to be invited.\n"
        : `${who.join("")}Would invite ${count}${all}.\n`),
    quiet: `${wouldInvite}\n`,
    exitCode: notInvited && notInvited.length > 0 ? EXIT.failedCheck : EXIT.fine,
  });
}
