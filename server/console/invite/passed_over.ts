/**
 * Shows the people whom a wave passes over. A wave of the next people passes over the people who fit its filters but
 * cannot be invited. A wave of chosen people passes over those of the chosen people who cannot be invited. @module
 */
import type { NotInvited, PassedOver } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { type Fact, nameIn, showAddress, statusNote, table } from "../components.ts";
import type { FieldValues, SentFields } from "../forms.ts";
import type { View } from "../page_context.ts";
import { backLink } from "./form.ts";
import { chosenEmails } from "./wave_of_form.ts";
import { wavePath } from "./waves.ts";

/** A reason why a wave of the next people passes over people. */
type Reason = keyof PassedOver;

/** For each reason, the filters with which the list of people shows the people whom a wave passes over. */
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
      labels.passedOver({ reason: nameIn(labels.reasons, reason) }),
      count > 0 && showCount(count, reason),
    ];
  });
}

/** The chosen people whom a wave does not invite, each with the reason. */
export function passedOverTable(
  notInvited: NotInvited[],
  { invite: labels, words }: ConsoleTexts,
): Html {
  const rows = notInvited.map(({ email, reason }) => [
    { row: showAddress(email) },
    labels.reasons[reason],
  ]);
  return table({ caption: labels.chosenPassedOver, head: [words.address, labels.why], rows });
}

/** The page after the start of a wave that does not invite all of the chosen people. @param wave the id of the wave */
export function partlyInvitedView(
  texts: ConsoleTexts,
  { form, wave, notInvited }: { form: SentFields; wave: string; notInvited: NotInvited[] },
): View {
  const { invite: labels, number } = texts;
  const count = chosenEmails(form).length - notInvited.length;
  return {
    title: count === 1 ? labels.oneInvited : labels.manyInvited({ count: number(count) }),
    body: markup`${statusNote(labels.lookOn({ wave }))}
${passedOverTable(notInvited, texts)}
<div class="actions">
<a class="button primary" href="${wavePath(wave)}">${labels.open}</a>
${backLink(form, labels.backToPeople)}
</div>`,
  };
}
