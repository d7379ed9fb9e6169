/**
 * Gets the plan of a wave from the service, and describes it. The plan says how many people the wave would invite. Of the
 * people whom it passes over, it lists those that the operator named (`notInvited`), and counts the others
 * (`passedOver`).
 *
 * @module
 */
import type { NotInvited, WavePlan, WaveRequest } from "../../../../shared/operator_schemas.ts";
import type { Session } from "../../../command.ts";
import { CliError, EXIT } from "../../../errors.ts";
import { formatExpiry, formatNumber, plural } from "../../../format.ts";
import type { OperatorClient } from "../../../operator/client.ts";
import { withRetries } from "../../../operator/cuts.ts";
import { shareOf } from "../../../operator/progress.ts";
import type { WorkTools } from "../../../operator/run_long_work.ts";

/**
 * Gets a plan. The service makes the plan step by step, one step a call, and each step takes about a second at most.
 */
export async function fetchPlan(body: WaveRequest, tools: WorkTools): Promise<WavePlan> {
  let after: NonNullable<WaveRequest["after"]> = {};
  for (;;) {
    const call = () => tools.client.call("startWave", { body: { ...body, dryRun: true, after } });
    const plan = await withRetries(call, tools);
    if (!("wouldInvite" in plan)) {
      throw new CliError(
        "The service's answer does not say how many people the wave would invite; use the same version of the " +
          "service and of this program",
        EXIT.failedCheck,
      );
    }
    if (!plan.next) return plan;
    const { read, total } = plan;
    tools.progress.show(`Looked at ${plural(read, "person", "people")}`, shareOf(read, total));
    after = plan.next;
  }
}

/**
 * Returns the question before the start of a wave.
 *
 * @param options.output the file with the data of the people, for a wave without letters
 */
export function describePlan(
  { wouldInvite, passedOver }: WavePlan,
  { link, letters, expires }: WaveRequest,
  { baseUrl, output }: { baseUrl: string; output: string | undefined },
): string {
  const people = plural(wouldInvite, "person", "people");
  const withoutCode = link.includes("{code}") ? "" : ", without a code";
  const letterSentence = letters
    ? `Each gets an e-mail that leads to ${link}${withoutCode}`
    : `No e-mail is sent; their data goes to ${output}`;
  const until = expires === undefined ? "" : `; valid until ${formatExpiry(expires)}`;
  const sentences = [
    `Invite ${people} at ${baseUrl}?`,
    `${letterSentence}${until}.`,
    describePassedOver(passedOver),
    "This cannot be undone.",
  ];
  return sentences.filter((sentence) => sentence !== "").join(" ");
}

/** Says in a sentence how many people are passed over, by the reason; empty if there are none. */
export function describePassedOver(passedOver: WavePlan["passedOver"]): string {
  const counts = Object.entries(passedOver).filter(([, count]) => count > 0)
    .map(([reason, count]) => `${formatNumber(count)} ${reason}`);
  return counts.length === 0 ? "" : `Passed over: ${counts.join(", ")}.`;
}

/** Returns the warning about a link without `{code}`, which stands for the invitation code. */
export function noCodeWarning(link: string): string {
  return `waitlist: The link '${link}' has no {code}, so the e-mails will have no invitation codes, although ` +
    "the built-in text of these e-mails says that their link contains a code; put {code} into the link that you give with --link.";
}

/** Why a named person is not invited, as the end of a sentence. */
const REASONS: Record<NotInvited["reason"], string> = {
  unknown: "is not on the list",
  unconfirmed: "has not confirmed yet",
  invited: "was invited before",
  undeliverable: "is marked as undeliverable",
  complained: "reported an e-mail as spam",
  unreadable: "has a record that cannot be read",
};

/** How many people the text names at most. The text counts the other people. */
const MAX_NAMED = 20;

/** Lists the named people who are not invited, with the reasons. */
export function describeNotInvited(notInvited: NotInvited[]): string {
  const lines = notInvited.slice(0, MAX_NAMED)
    .map(({ email, reason }) => `Passed over: ${email} ${REASONS[reason]}.\n`);
  const otherCount = notInvited.length - lines.length;
  if (otherCount > 0) {
    lines.push(`Passed over: ${plural(otherCount, "other person", "other people")}.\n`);
  }
  return lines.join("");
}

/** Prints a plan with the first people whom the wave would invite. */
export function printPlan(plan: WavePlan, { print }: Session<OperatorClient>) {
  const { wouldInvite, people, passedOver, notInvited } = plan;
  const peopleText = plural(wouldInvite, "person", "people");
  // For a wave of named people, no counts are printed, because `describeNotInvited()` lists the people who are passed
  // over.
  const passedOverSentence = notInvited ? "" : describePassedOver(passedOver);
  const inAll = wouldInvite > people.length ? " in all" : "";
  const lines = people.map(({ email, createdAt }) =>
    `Would invite: ${email}, on the list since ${createdAt}.\n`
  );
  return print({
    json: { wouldInvite, passedOver, notInvited: notInvited ?? [], people, dryRun: true },
    text: () =>
      describeNotInvited(notInvited ?? []) + (passedOverSentence && `${passedOverSentence}\n`) +
      (wouldInvite === 0
        ? "The wave would invite nobody.\n"
        : `${lines.join("")}Would invite ${peopleText}${inAll}.\n`),
    quiet: `${wouldInvite}\n`,
    exitCode: notInvited && notInvited.length > 0 ? EXIT.failedCheck : EXIT.fine,
  });
}
