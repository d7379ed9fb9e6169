/** The list of waves, and the parts that the list and the page of a wave share. @module */
import type { WaveReport } from "../../../shared/operator_schemas.ts";
import { progressOf } from "../../../shared/wave_stage.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { type Cell, failureNote, pager, section, showTime, table } from "../components.ts";
import { pathWith } from "../forms.ts";
import type { ShownPause } from "../letter_pause.ts";
import { type PageContext, PATHS } from "../page_context.ts";
import { describePeople } from "./wave_choices.ts";

/** The path of the page of a wave; the query names the wave. */
export const WAVE_PATH = "/operator/invite/wave/";

/** The path and query of the page of a wave. */
export const wavePath = (id: string) => pathWith(WAVE_PATH, { id });

/**
 * The section with a page of the list of waves, the newest first; empty if the page has no wave.
 * @param pause the pause of all letters; `undefined` if there is none
 */
export async function wavesSection(
  { operations, texts, query }: PageContext,
  pause: ShownPause | undefined,
): Promise<Html> {
  const { invite: labels, words } = texts;
  const before = query.get("before") ?? undefined;
  const waveList = await operations.listWaves({ ...before !== undefined && { before } });
  if ("failure" in waveList) return failureNote(waveList, texts);
  const { waves, next } = waveList;
  const [newestWave] = waves;
  if (!newestWave) return markup``;
  const figuresOf = (wave: WaveReport): WaveFigure[] => {
    const { invited, taken, lettersWaiting = 0, refused, cameBack = 0 } = wave;
    const { number } = texts;
    const cameBackText = cameBack > 0 &&
      markup` <small>(${labels.cameBackInList({ count: number(cameBack) })})</small>`;
    return [
      [words.states.invited, number(invited)],
      [labels.taken, markup`${number(taken)}${cameBackText}`],
      [labels.lettersWaiting, number(lettersWaiting)],
      [labels.refused, number(refused)],
      acceptedFigureOf(wave, texts),
    ];
  };
  const rows = waves.map((wave): Cell[] => [
    {
      rowHeading: markup`<a href="${wavePath(wave.wave)}">${showName(wave.wave)}</a> <small>${
        describePeople(wave, texts)
      }</small>`,
    },
    waveBadge(wave, texts, { text: describeStage(wave, texts, pause), pause }),
    markup`${showTime(wave.startedAt, texts)} <small>${startedBy(wave, labels)}</small>`,
    ...figuresOf(wave).map(([, value]) => ({ number: value })),
  ]);
  // Every wave has the same figures, so the newest wave gives the names of the columns.
  const head = [
    labels.wave,
    words.fields.state,
    labels.startedAt,
    ...figuresOf(newestWave).map(([name]) => ({ number: name })),
  ];
  const pageLinks = pager([
    [words.firstPage, before !== undefined && PATHS.invite],
    [words.nextPage, next !== undefined && pathWith(PATHS.invite, { before: next })],
  ]);
  const wavesTable = table({ caption: labels.wavesCaption, head, rows });
  return section("waves", labels.waves, markup`${wavesTable}${pageLinks}`);
}

/** The greatest length of a name that stays on one line, in characters. Names of which the service thinks are shorter. */
const MAX_LINE = 28;

/** Shows a text that has the name of a wave. The style sheet keeps a short text on one line if the window is wide. */
export function showName(name: string, text = name): Html {
  return name.length <= MAX_LINE ? markup`<span class="one-line">${text}</span>` : markup`${text}`;
}

/** Says who started a wave: an operator or a schedule. */
export function startedBy(
  { operator, schedule }: WaveReport,
  { schedules: labels }: ConsoleTexts["invite"],
): string {
  if (operator !== undefined) return operator;
  return schedule === undefined ? "" : labels.bySchedule({ schedule });
}

/**
 * Says how far a wave has come. A wave with letters is in the stage `sending` while it runs, and then until none of its
 * letters waits in the outbox. If all of these letters wait for a later try, also says until when they are tried.
 */
export function describeStage(
  wave: WaveReport,
  { invite: labels, date }: Pick<ConsoleTexts, "invite" | "date">,
  pause?: ShownPause,
): string {
  const { lettersWaiting: count = 0, lastTryAt } = wave;
  const { stage, settled, whole } = progressOf(wave);
  if (stage === "sending" && pause) {
    const { testing, until } = pause;
    const progress = { done: settled, whole };
    return testing
      ? labels.pauseTested(progress)
      : labels.pausedWithAll({ until: date(until), ...progress });
  }
  if (stage === "sending" && lastTryAt !== undefined) {
    return labels.tryingAgain({ count, day: date(lastTryAt.slice(0, 10)) });
  }
  if (stage !== "sending" && stage !== "inviting") return labels.states[stage];
  return labels[stage]({ done: settled, whole });
}

/**
 * How far a wave has come, as a badge in the colour of the wave's stage.
 * @param options.text the text of the badge; by default, the state of the wave, which is `running` while letters wait
 * @param options.pause the pause of all letters, in which a wave sends none; absent if there is none
 */
export function waveBadge(
  wave: WaveReport,
  texts: ConsoleTexts,
  { text, pause }: { text?: string; pause?: ShownPause | undefined } = {},
): Html {
  const { stage } = progressOf(wave);
  const isPaused = stage === "sending" && pause !== undefined;
  const kind = isPaused
    ? "paused"
    : stage === "sending" || stage === "inviting"
    ? "running"
    : stage;
  const { lettersPaused, states } = texts.invite;
  return markup`<span class="badge ${kind}">${
    text ?? (isPaused ? lettersPaused : states[kind])
  }</span>`;
}

/** A number of a wave with its label. */
type WaveFigure = [name: string, value: string | Html];

/** The number of accepted invitations of a wave, with its share of all invitations. */
export function acceptedFigureOf(
  { invited, accepted }: WaveReport,
  { words, number, percent }: ConsoleTexts,
): WaveFigure {
  const share = invited > 0 && markup` <small>(${percent(accepted / invited)})</small>`;
  return [words.states.accepted, markup`${number(accepted)}${share}`];
}
