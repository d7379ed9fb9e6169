/**
 * The test of a pause of all e-mails by an operator: begins it, and says how it ended. The page loads again by itself
 * until the outcome is there. @module
 */
import type { ListedLetter, Overview } from "../../../shared/operator_schemas.ts";
import { type Html, markup } from "../../content/mod.ts";
import {
  failedView,
  faultNote,
  goesOnNote,
  mayReload,
  personLink,
  reloadElement,
  statusNote,
} from "../components.ts";
import { pathWith } from "../forms.ts";
import { linesOf, type PageContext, PATHS, seeOther, type View } from "../page_context.ts";

/** For how long after the beginning of a test the page loads again, in milliseconds: longer than any attempt. */
const RELOADING_MS = 75_000;

/** For how long after the beginning of a test the page says how it ended, in milliseconds. */
const SHOWN_MS = 10 * 60_000;

/** How many e-mails of the log are read to find the one that was the test. */
const MAX_READ = 500;

/** Ends the wait of a pause of all e-mails, so that the service sends one e-mail as a test. */
export async function testPause(pageContext: PageContext): Promise<View | Response> {
  const { operations, texts } = pageContext;
  const failure = { title: texts.pages.outbox, back: PATHS.outbox };
  const overview = await operations.getOverview({});
  if ("failure" in overview) return failedView(overview, texts, failure);
  // The pause has ended since the page was shown.
  if (!overview.outbox.pause) return seeOther(PATHS.outbox);
  const at = pageContext.readClock();
  const outcome = await operations.retryOutbox({ pause: true });
  if ("failure" in outcome) return failedView(outcome, texts, failure);
  await linesOf(outcome, pageContext);
  return seeOther(pathWith(PATHS.outbox, { ended: true, at }));
}

/**
 * Says how the test ended that {@linkcode testPause} has begun, which has put the moment of the beginning into the query;
 * `false` if there was no test in the last minutes. A pause that began after the test says that the test has succeeded.
 */
export async function testedPauseNote(
  { outbox: { pause } }: Overview,
  pageContext: PageContext,
): Promise<Html | false> {
  const { texts, query, now } = pageContext;
  const { pause: labels } = texts.outbox;
  const begunAt = Number(query.get("at"));
  if (!query.has("ended") || now - begunAt > SHOWN_MS) return false;
  const isSince = (moment = "") => Date.parse(moment) >= begunAt;
  if (pause && !isSince(pause.since)) {
    const { testedAt, reason, until } = pause;
    if (testedAt === undefined || !isSince(testedAt)) return pendingNote(pageContext, begunAt);
    const failed = await findTestLetter(
      pageContext,
      ({ refusedAt }) =>
        isSince(refusedAt) && Date.parse(refusedAt!) <= Date.parse(testedAt)
          ? refusedAt
          : undefined,
    );
    const sentence = labels.testFailed({
      at: texts.date(testedAt),
      answer: failed?.answer ?? reason,
      until: texts.date(until),
    });
    return faultNote(withTestLetter(sentence, failed, pageContext));
  }
  const taken = await findTestLetter(
    pageContext,
    ({ takenAt }) => isSince(takenAt) ? takenAt : undefined,
  );
  const accepted = taken?.takenAt === undefined
    ? labels.testAccepted
    : labels.testAcceptedAt({ at: texts.date(taken.takenAt) });
  const sentence = `${accepted} ${pause ? labels.pausedAgain : labels.goOut}`;
  return statusNote(withTestLetter(sentence, taken, pageContext));
}

/** The sentence about the outcome, with a link to the person to whom the test e-mail was sent, if it is known. */
function withTestLetter(
  sentence: string,
  letter: ListedLetter | undefined,
  { texts: { outbox }, personPath }: PageContext,
): Html {
  const { id = "", email } = letter ?? {};
  return markup`${sentence} ${
    email !== undefined && markup`${outbox.pause.testTo} ${personLink({ id, email }, personPath)}`
  }`;
}

/** Says that the test has no outcome yet. */
function pendingNote({ texts, query, now }: PageContext, begunAt: number): Html {
  const { pause: labels } = texts.outbox;
  if (now - begunAt > RELOADING_MS) return statusNote(labels.noOutcome);
  const isReloading = mayReload(query);
  const reloading = { path: PATHS.outbox, query: Object.fromEntries(query), isReloading };
  return markup`${isReloading && reloadElement()}
${statusNote(labels.ended)}
${goesOnNote(labels.outcomeFollows, texts, reloading)}`;
}

/**
 * Finds the e-mail that was the test: the first whose outcome followed the beginning of the test. Returns `undefined` if
 * there is none in the log, and if the log is so long that an earlier outcome may be in the part that is not read.
 * @param outcomeAt gives the date-time of the outcome; `undefined` for an e-mail that was not the test
 */
async function findTestLetter(
  { operations }: PageContext,
  outcomeAt: (letter: ListedLetter) => string | undefined,
): Promise<ListedLetter | undefined> {
  const log = await operations.listLetters({ limit: MAX_READ });
  if ("failure" in log || log.next !== undefined) return undefined;
  const candidates = log.letters.filter((letter) => outcomeAt(letter) !== undefined);
  return candidates.sort((a, b) => Date.parse(outcomeAt(a)!) - Date.parse(outcomeAt(b)!))[0];
}
