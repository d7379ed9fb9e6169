/** Says why some of the refused letters of a wave are not sent again when the others are. @module */
import { type Mark, MARKS } from "../../../shared/counters.ts";
import type { WaveReport } from "../../../shared/operator_schemas.ts";
import { MAX_LISTED } from "../../../shared/people_query.ts";
import { type Html, markup } from "../../content/mod.ts";
import { pathWith } from "../forms.ts";
import { MAX_COUNTED_AT_ONCE, type PageContext, PATHS } from "../page_context.ts";

/** A reason why a refused letter is not sent again: `gone` means that the person has accepted or has left the list. */
type Reason = Mark | "gone";

/**
 * Says how many of the refused letters of a wave are not sent again, and why: with a number for each reason, unless the
 * people of the wave are too many to look at them for a page. A link leads to these people, unless all of them have
 * accepted or have left the list. Returns `undefined` if all letters are sent again.
 */
export async function describeNotSentAgain(
  wave: WaveReport,
  { operations, texts }: Pick<PageContext, "operations" | "texts">,
): Promise<Html | undefined> {
  const { invite: labels, number } = texts;
  const { refused, sendableAgain = 0 } = wave;
  const count = refused - sendableAgain;
  if (count <= 0) return undefined;
  const counts = await countByReason(wave, count, operations);
  const reasons = [...MARKS, "gone" as const].flatMap((reason) => {
    const name = labels.notSentAgainReasons[reason];
    if (!counts) return [name];
    // If all letters have this reason, the sentence has their number already.
    if (counts[reason] === count) return [name];
    return counts[reason] > 0 ? [`${name}: ${number(counts[reason])}`] : [];
  }).join(", ");
  const [sayOne, sayMany] = sendableAgain > 0
    ? [labels.oneOtherNotSentAgain, labels.manyOthersNotSentAgain]
    : [labels.oneNotSentAgain, labels.manyNotSentAgain];
  const sentence = count === 1 ? sayOne({ reasons }) : sayMany({ count: number(count), reasons });
  if (counts?.gone === count) return markup`${sentence}`;
  const onlyMark = MARKS.find((mark) => counts?.[mark] === count);
  const path = pathWith(PATHS.people, { wave: wave.wave, refusedLetter: true, mark: onlyMark });
  return markup`${sentence} <a href="${path}">${labels.showNotSentAgain}</a>`;
}

/**
 * Counts the letters that are not sent again by the reason; `undefined` if they cannot be counted. Nobody finds the
 * people who have accepted or left by a refused letter, so these are the rest.
 */
async function countByReason(
  { wave, invited }: WaveReport,
  count: number,
  operations: PageContext["operations"],
): Promise<Record<Reason, number> | undefined> {
  if (invited > MAX_COUNTED_AT_ONCE) return undefined;
  const refused = await operations.listSignups({
    wave,
    refusedLetter: true,
    limit: MAX_LISTED,
    withPlaceUrl: false,
  });
  if ("failure" in refused || refused.next) return undefined;
  const invitations = refused.people.filter(({ refusedLetter }) => refusedLetter === "invitation");
  const undeliverable = invitations.filter((person) => person.undeliverableAt).length;
  const complained =
    invitations.filter((person) => person.complainedAt && !person.undeliverableAt).length;
  const gone = count - undeliverable - complained;
  // A person whose earlier letter was taken counts as taken in the wave, but still has the refused letter.
  return gone < 0 ? undefined : { undeliverable, complained, gone };
}
