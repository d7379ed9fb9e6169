/**
 * The page of one wave: its progress, its numbers and its people. `wave_changes.ts` has the buttons that change the
 * wave, and `waves.ts` the list of waves and the parts that this page shares with the list. @module
 */
import type { WavePeople, WaveReport } from "../../../shared/operator_schemas.ts";
import { countNotSent, progressOf } from "../../../shared/wave_stage.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import {
  countLink,
  durationFigure,
  type Fact,
  facts,
  failedView,
  failureNote,
  goesOnNote,
  linkedCount,
  mayReload,
  pager,
  personBadges,
  progressBar,
  reloadElement,
  type ReloadPace,
  section,
  showAddress,
  showTime,
  statusOf,
  table,
} from "../components.ts";
import { isConfirmed, knownValue, pathWith } from "../forms.ts";
import { pauseSentence, pauseWarning, readPause, type ShownPause } from "../letter_pause.ts";
import { markFigures } from "../mark_figures.ts";
import {
  type ConsolePage,
  MAX_COUNTED_AT_ONCE,
  type PageContext,
  type PageFailure,
  PATHS,
  seeOther,
  type View,
} from "../page_context.ts";
import {
  AGAIN_PARAMETER,
  againNote,
  askToCancel,
  askToSendAgain,
  changeButtons,
  changeFailureNote,
  CHANGES,
} from "./wave_changes.ts";
import { choiceFacts } from "./wave_choices.ts";
import {
  acceptedFigureOf,
  describeStage,
  showName,
  startedBy,
  WAVE_PATH,
  waveBadge,
  wavePath,
} from "./waves.ts";

/** How many people of the wave the page lists at once. */
const PEOPLE_ON_PAGE = 50;

export const wavePage: ConsolePage = {
  path: WAVE_PATH,
  get: (pageContext) => waveView(pageContext, pageContext.query.get("id") ?? ""),
  async post(pageContext, form) {
    const id = form.get("id") ?? "";
    const change = knownValue(CHANGES, form.get("change"));
    if (!change) return seeOther(wavePath(id));
    const sendsAgain = form.has(AGAIN_PARAMETER);
    if (!isConfirmed(form)) {
      if (change === "cancel") return askToCancel(id, pageContext.texts);
      if (sendsAgain) return await askToSendAgain(id, pageContext);
    }
    const outcome = await pageContext.operations[`${change}Wave`]({ id });
    if ("failure" in outcome) return await waveView(pageContext, id, outcome);
    return seeOther(pathWith(WAVE_PATH, { id, [AGAIN_PARAMETER]: sendsAgain }));
  },
};

/**
 * The page of a wave.
 *
 * @param id the id of the wave
 * @param changeFailure why a change of the wave failed; the page shows this reason above the wave
 */
async function waveView(
  pageContext: PageContext,
  id: string,
  changeFailure?: PageFailure,
): Promise<View> {
  const { operations, texts, query } = pageContext;
  const { invite: labels } = texts;
  const title = labels.waveTitle({ wave: id });
  const wave = await operations.showWave({ id });
  if ("failure" in wave) return failedView(wave, texts, { title, back: PATHS.invite });
  const after = query.get("after") ?? undefined;
  const peoplePage = await operations.listWavePeople({
    id,
    limit: PEOPLE_ON_PAGE,
    ...after !== undefined && { after },
  });
  const { medianSeconds } = wave;
  const { stage } = progressOf(wave);
  const isWorking = stage === "sending" || stage === "inviting";
  const isCounted = stage !== "inviting" && wave.invited <= MAX_COUNTED_AT_ONCE;
  const laterTryNote = describeLaterTry(wave, texts);
  const isReloading = isWorking && !after && mayReload(query) &&
    !(laterTryNote && isDueLater(wave, pageContext.now));
  const pause = stage === "sending" ? await readPause(pageContext) : undefined;
  const pace: ReloadPace = pause ? "slow" : "fast";
  const medianFigure: Fact = [
    labels.median,
    medianSeconds !== undefined && durationFigure(texts.lang, medianSeconds),
  ];
  const notSentCount = countNotSent(wave);
  const notSentFigure: Fact = [labels.notSent, notSentCount > 0 && texts.number(notSentCount)];
  const figures = [
    ...letterFiguresOf(wave, texts),
    notSentFigure,
    acceptedFigure(wave, texts),
    medianFigure,
    ...await markFigures(pageContext, { wave: id, isCounted }),
  ];
  return {
    title,
    heading: markup`${showName(id, title)} ${
      waveBadge(wave, texts, {
        ...stage === "sending" && wave.lastTryAt && !pause && { text: labels.stateRetrying },
        pause,
      })
    }`,
    ...changeFailure && { status: statusOf(changeFailure) },
    body: markup`${isReloading && reloadElement(pace)}
<p><a href="${PATHS.invite}">${labels.back}</a></p>
${changeFailure && changeFailureNote(changeFailure, wave, pageContext)}
${query.has(AGAIN_PARAMETER) && againNote(wave, texts)}
${pause && pauseWarning(pauseSentence(pause, texts), texts)}
${facts(figures, "figures")}
${stage !== "done" && waveProgress(wave, texts, pause)}
${
      isWorking &&
      goesOnNote(pause ? describePausedWave(wave, texts) : laterTryNote ?? labels.goesOn, texts, {
        path: WAVE_PATH,
        query: { id },
        isReloading,
        pace,
      })
    }
${await changeButtons(wave, pageContext)}
<section>${waveFacts(wave, texts)}</section>
${
      "failure" in peoplePage
        ? failureNote(peoplePage, texts)
        : peopleSection(peoplePage, wave, pageContext)
    }`,
  };
}

/** The progress of a wave: a bar that counts letters in the stage `sending`, and invited people in other stages. */
function waveProgress(
  wave: WaveReport,
  texts: ConsoleTexts,
  pause: ShownPause | undefined,
): Html {
  const { invite: labels } = texts;
  const { stage, settled, whole } = progressOf(wave);
  if (stage === "sending") {
    const text = describeStage(wave, texts, pause);
    return progressBar({ label: labels.progress, done: settled, whole, text });
  }
  const text = labels.soFar({ count: wave.invited, whole });
  return progressBar({ label: labels.progress, done: wave.invited, whole, text });
}

/** How long before the next try of a letter the page begins to load again, in milliseconds. */
const RELOAD_BEFORE_MS = 60_000;

/** Whether no letter of the wave is tried for so long that the page need not load again by itself. */
const isDueLater = ({ nextTryAt }: WaveReport, now: number): boolean =>
  nextTryAt !== undefined && Date.parse(nextTryAt) > now + RELOAD_BEFORE_MS;

/** The path of the log of letters, with the letters of a wave that are in a state. */
const logPath = (wave: string, state: "refused" | "reported") =>
  pathWith(PATHS.outbox, { list: "log", wave, state });

/** The path of the list of the letters of a wave that wait. */
const waitingPath = (wave: string) => pathWith(PATHS.outbox, { list: "waiting", wave });

/**
 * The number of invited people and, if the wave sends letters, the numbers of letters, with links to the people or
 * letters. The lists of letters have the answers and reasons.
 */
function letterFiguresOf(
  { wave, state, letters, invited, taken, refused, cameBack = 0, lettersWaiting = 0 }: WaveReport,
  texts: ConsoleTexts,
): Fact[] {
  const { invite: labels, words, number } = texts;
  const invitedFigure: Fact = [words.states.invited, countLink(invited, { wave }, texts)];
  if (!letters) return [invitedFigure];
  const reportedPath = logPath(wave, "reported");
  // The letters of a paused wave are not in the list.
  const waiting = state === "paused"
    ? number(lettersWaiting)
    : linkedCount(lettersWaiting, waitingPath(wave), texts);
  return [
    invitedFigure,
    [labels.taken, number(taken)],
    [labels.lettersWaiting, waiting],
    [labels.refused, linkedCount(refused, logPath(wave, "refused"), texts)],
    // There is no share: two e-mails to one person can come back, and the person counts once among those accepted.
    [labels.cameBack, cameBack > 0 && linkedCount(cameBack, reportedPath, texts)],
  ];
}

/** The number of accepted invitations with its share, and a link to the people. */
function acceptedFigure(wave: WaveReport, texts: ConsoleTexts): Fact {
  const [name, value] = acceptedFigureOf(wave, texts);
  const path = pathWith(PATHS.people, { wave: wave.wave, state: "accepted" });
  return [name, wave.accepted > 0 ? markup`<a href="${path}">${value}</a>` : value];
}

/**
 * Says how many letters wait for a later try, and when the next is tried, with a link to these letters; `undefined` if
 * some are due or being sent.
 */
function describeLaterTry(
  { wave, nextTryAt, lettersWaiting = 0 }: WaveReport,
  { invite: labels, date, number }: ConsoleTexts,
): Html | undefined {
  if (nextTryAt === undefined) return undefined;
  const moment = date(nextTryAt);
  const sentence = lettersWaiting === 1
    ? labels.oneWaitsForLater({ moment })
    : labels.manyWaitForLater({ count: number(lettersWaiting), moment });
  return markup`${sentence} <a href="${waitingPath(wave)}">${labels.showLater}</a>`;
}

/** Says that the wave goes on after the pause of all letters, with a link to its letters that wait. */
function describePausedWave(
  { wave, lettersWaiting = 0 }: WaveReport,
  { invite: labels }: ConsoleTexts,
): Html {
  return markup`${labels.goesOnAfterPause} ${
    lettersWaiting > 0 && markup`<a href="${waitingPath(wave)}">${labels.showLater}</a>`
  }`;
}

/**
 * Who started the wave and when, what the operator chose for the wave, how many chosen people the wave passed over, how
 * many letters were put into the outbox again, and why letters are not sent any more.
 */
function waveFacts(wave: WaveReport, texts: ConsoleTexts): Html {
  const { invite: labels, number } = texts;
  const { state, invited, named: chosenCount = 0, lettersAgain = 0 } = wave;
  const whyNotSent = state === "cancelled" ? labels.notSentCancelled : labels.notSentWhy;
  const hasPassedOver = state === "done" && chosenCount > invited;
  return facts([
    [labels.startedAt, showTime(wave.startedAt, texts)],
    [labels.by, startedBy(wave, labels)],
    ...choiceFacts(wave, texts),
    [labels.chosenNotInvited, hasPassedOver && number(chosenCount - invited)],
    [labels.lettersAgain, lettersAgain > 0 && number(lettersAgain)],
    [labels.notSentReason, countNotSent(wave) > 0 && whyNotSent],
  ]);
}

/** A page of the list of the wave's people, with links to the first page and the next page. */
function peopleSection(
  { people, next: nextPage }: WavePeople,
  { wave: waveId, letters, refused }: WaveReport,
  { texts, personPath, query }: PageContext,
): Html {
  const after = query.get("after") ?? undefined;
  const { invite: labels, words, people: { noOthers } } = texts;
  if (people.length === 0) {
    return markup`<p class="empty">${after ? noOthers : labels.nobodyIn}</p>`;
  }
  const rows = people.map((person) => {
    const { id = "", email, invitedAt, acceptedAt, invitationUrl } = person;
    const personLink = markup`<a href="${personPath(id)}">${showAddress(email)}</a>`;
    // If the wave sends no letters, the page shows the link, because the operator has to give the link to the person.
    const shownUrl = !letters && invitationUrl && markup` <code>${invitationUrl}</code>`;
    return [
      { rowHeading: markup`${personLink}${shownUrl}` },
      personBadges(texts, person),
      invitedAt && showTime(invitedAt, texts),
      acceptedAt && showTime(acceptedAt, texts),
    ];
  });
  const head = [words.address, words.fields.state, words.states.invited, words.states.accepted];
  const caption = labels.peopleCaption({ count: people.length });
  const peopleTable = table({ caption, head, rows });
  const pageLinks = pager([
    [words.firstPage, after !== undefined && wavePath(waveId)],
    [
      words.nextPage,
      nextPage !== undefined && pathWith(WAVE_PATH, { id: waveId, after: nextPage }),
    ],
  ]);
  const listPath = pathWith(PATHS.people, { wave: waveId });
  const rejectedPath = pathWith(PATHS.people, { wave: waveId, refusedLetter: true });
  return section(
    "people",
    labels.people,
    markup`<p class="actions"><a href="${listPath}">${labels.filterPeople}</a>
${refused > 0 && markup`<a href="${rejectedPath}">${labels.peopleRejected}</a>`}</p>
${peopleTable}${pageLinks}`,
  );
}
