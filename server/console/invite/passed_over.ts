/**
 * Shows the people whom a wave passes over because they cannot be invited. A wave of the next people passes over people
 * who fit its filters; the service counts these people by reason (`passedOver`). A wave of chosen people passes over
 * some of the chosen people; the service gives the address and the reason of each (`notInvited`). @module
 */
import type { NotInvited, PassedOver } from "../../../shared/operator_schemas.ts";
import type { ConsoleTexts, Html } from "../../content/mod.ts";
import { type Fact, showAddress, table } from "../components.ts";
import type { FieldValues } from "../forms.ts";

/** A reason why a wave of the next people passes over people. */
type Reason = keyof PassedOver;

/** The filters of the list of people that show whom a wave passes over, for each reason. */
export const PASSED_OVER_FILTERS: Readonly<Record<Reason, FieldValues>> = {
  unconfirmed: { state: "unconfirmed" },
  undeliverable: { state: "waiting", mark: "undeliverable" },
  complained: { state: "waiting", mark: "complained" },
  invited: { reached: "invited" },
};

/** The reasons in the order in which a plan shows them. */
// The cast is needed because the type of `Object.keys()` loses the names of the members.
const REASONS = Object.keys(PASSED_OVER_FILTERS) as Reason[];

/** How many people a wave of the next people passes over, for each reason. @param showCount writes a number above 0 */
export function passedOverFacts(
  passedOver: PassedOver,
  { invite: labels }: ConsoleTexts,
  showCount: (count: number, reason: Reason) => string | Html,
): Fact[] {
  return REASONS.map((reason) => {
    const count = passedOver[reason];
    return [
      labels.passedOver({ reason: labels.reasons[reason] }),
      count > 0 && showCount(count, reason),
    ];
  });
}

/** The chosen people whom a wave passes over, each with the reason. */
export function passedOverTable(
  notInvited: NotInvited[],
  { invite: labels, words }: ConsoleTexts,
): Html {
  const rows = notInvited.map(({ email, reason }) => [
    { rowHeading: showAddress(email) },
    labels.reasons[reason],
  ]);
  return table({ caption: labels.chosenPassedOver, head: [words.address, labels.why], rows });
}
