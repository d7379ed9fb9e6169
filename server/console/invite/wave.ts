/** The list of waves, and the page of a wave: how far it is, who is in it, and what can be done with it. @module */
import type { WavePeople, WaveReport } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { breakable, type Cell, facts, failedView, failureNote } from "../components.ts";
import { progressBar, section, showTime, stateBadge, table } from "../components.ts";
import { button, confirmView, isConfirmed, knownValue } from "../form_fields.ts";
import { pager, pathWith, postForm } from "../form_fields.ts";
import { type ConsolePage, type PageContext, PATHS, PERSON_PATH } from "../page_context.ts";
import { seeOther, type View } from "../page_context.ts";
import { CODES_PATH } from "./codes.ts";
import { choicesOf, chosenOf } from "./plan.ts";

const WAVE_PATH = "/operator/invite/wave/";

export const wavePath = (id: string) => pathWith(WAVE_PATH, { id });

/** How soon the page of a wave that is running looks again, in seconds. */
const LOOK_AGAIN = 2;

/** The waves, the newest first. */
export async function wavesList({ operations, texts, query }: PageContext): Promise<Html> {
  const { invite: labels, words } = texts;
  const before = query.get("before") ?? undefined;
  const { data, ...failed } = await operations.GET("/operator/v1/waves", {
    params: { query: { ...before !== undefined && { before } } },
  });
  if (!data) return failureNote(failed, texts);
  const { waves, next } = data;
  if (waves.length === 0) return markup``;
  const rows = waves.map((wave): Cell[] => [
    { row: markup`<a href="${wavePath(wave.wave)}">${wave.wave}</a>` },
    waveBadge(wave, labels),
    showTime(wave.startedAt, texts),
    wave.operator ?? "",
    chosenOf(wave, texts),
    ...figuresOf(wave, texts).map(([, number]) => ({ number })),
  ]);
  const head = [
    ...[labels.wave, words.fields.state, labels.startedAt, labels.by, labels.chosen],
    ...figuresOf(waves[0]!, texts).map(([number]) => ({ number })),
  ];
  const pages = pager(PATHS.invite, [
    [words.firstPage, before !== undefined && {}],
    [words.nextPage, next !== undefined && { before: next }],
  ]);
  const list = table({ caption: labels.wavesCaption, head, rows });
  return section("waves", labels.waves, markup`${list}${pages}`);
}

const waveBadge = ({ state }: WaveReport, { states }: ConsoleTexts["invite"]): Html =>
  markup`<span class="badge ${state}">${states[state]}</span>`;

function figuresOf(
  { invited, taken, refused, accepted }: WaveReport,
  { invite: labels, words, number }: ConsoleTexts,
): [name: string, number: string][] {
  return [
    [words.states.invited, number(invited)],
    [labels.taken, number(taken)],
    [labels.refused, number(refused)],
    [words.states.accepted, number(accepted)],
  ];
}

const CHANGES = ["pause", "resume", "cancel"] as const;

export const wavePage: ConsolePage = {
  path: WAVE_PATH,
  get: (pageContext) => waveView(pageContext, pageContext.query.get("id") ?? ""),
  async post(pageContext, form) {
    const { operations, texts: { invite: labels, words } } = pageContext;
    const id = form.get("id") ?? "";
    const change = knownValue(CHANGES, form.get("change"));
    if (!change) return seeOther(wavePath(id));
    if (change === "cancel" && !isConfirmed(form)) {
      return confirmView({
        title: labels.cancelTitle,
        body: markup`<p><code>${id}</code></p>
<p>${labels.cancelBody}</p>`,
        action: WAVE_PATH,
        fields: { id, change },
        submit: labels.changes.cancel,
        cancel: markup`<a class="button" href="${wavePath(id)}">${words.back}</a>`,
      });
    }
    const path = `/operator/v1/waves/{id}/${change}` as const;
    const { data, ...failed } = await operations.POST(path, { params: { path: { id } } });
    return data ? seeOther(wavePath(id)) : await waveView(pageContext, id, failed);
  },
};

async function waveView(
  pageContext: PageContext,
  id: string,
  failure?: Parameters<typeof failureNote>[0],
): Promise<View> {
  const { operations, texts, query } = pageContext;
  const { invite: labels, pages, number } = texts;
  const title = labels.waveTitle({ wave: id });
  const params = { path: { id } };
  const { data: wave, ...failed } = await operations.GET("/operator/v1/waves/{id}", { params });
  if (!wave) return failedView(failed, texts, { title, back: PATHS.invite });
  const after = query.get("after") ?? undefined;
  const listed = await operations.GET("/operator/v1/waves/{id}/people", {
    params: { ...params, query: { limit: 50, ...after !== undefined && { after } } },
  });
  const { state, invited, taken, refused, letters, lettersAgain = 0, named = 0 } = wave;
  const isRunning = state === "running";
  const again = isRunning && !after && markup`<meta http-equiv="refresh" content="${LOOK_AGAIN}">`;
  const whole = wave.next ?? wave.named ?? 0;
  const soFar = labels.soFar({ count: invited, whole });
  const waiting = letters && state !== "cancelled" ? Math.max(0, invited - taken - refused) : 0;
  const isOver = state === "paused" && wave.expires !== undefined &&
    Date.parse(wave.expires) <= pageContext.now;
  const known = isOver ? { conflict: labels.isOver } : {};
  const figures = figuresOf(wave, texts).toSpliced(2, 0, [labels.lettersWaiting, number(waiting)]);
  const outbox = markup`<a href="${PATHS.outbox}">${pages.outbox}</a>`;
  const about = facts([
    [labels.startedAt, showTime(wave.startedAt, texts)],
    [labels.by, wave.operator],
    ...choicesOf(wave, texts),
    [labels.passed, state === "done" && named > invited && number(named - invited)],
    [labels.lettersAgain, lettersAgain > 0 && number(lettersAgain)],
  ]);
  return {
    title,
    heading: markup`${title} ${waveBadge(wave, labels)}`,
    ...failure && { status: failure.response.status },
    body: markup`${again}
<p><a href="${PATHS.invite}">${labels.back}</a></p>
${failure && failureNote(failure, texts, known)}
${state !== "done" && progressBar(labels.progress, invited, whole, soFar)}
${isRunning && markup`<p class="soft">${labels.goesOn}</p>`}
${facts(figures, "figures")}
${waiting > 0 && state !== "paused" && markup`<p>${labels.lettersWait} ${outbox}.</p>`}
${actionsOf(wave, pageContext)}
<section>${about}</section>
${listed.data ? peopleOf(listed.data, wave, texts, after) : failureNote(listed, texts)}`,
  };
}

function actionsOf(wave: WaveReport, { texts: { invite: labels }, may }: PageContext): Html {
  const { wave: id, state, letters, taken, refused, invited } = wave;
  const mayWait = state === "done" && letters && taken + refused < invited;
  const change = (name: typeof CHANGES[number], label: string, kind?: "danger") =>
    may(`${name}Wave`) &&
    postForm({ action: WAVE_PATH, fields: { id, change: name } }, button(label, kind));
  const { changes } = labels;
  const canCancel = ["running", "paused"].includes(state) || mayWait;
  const codes = postForm({ action: CODES_PATH, fields: { wave: id } }, button(labels.codes));
  return markup`<div class="actions">
${(state === "running" || mayWait) && change("pause", changes.pause)}
${state === "paused" && change("resume", changes.resume)}
${state === "done" && letters && refused > 0 && change("resume", changes.sendAgain)}
${may("exportSignups") && codes}
${canCancel && change("cancel", `${changes.cancel} …`, "danger")}
</div>`;
}

function peopleOf(
  { people, next }: WavePeople,
  { wave: id, letters }: WaveReport,
  texts: ConsoleTexts,
  after: string | undefined,
): Html {
  const { invite: labels, words, people: { noOthers } } = texts;
  if (people.length === 0) {
    return markup`<p class="empty">${after ? noOthers : labels.nobodyIn}</p>`;
  }
  const rows = people.map(({ email, state = "invited", invitedAt, acceptedAt, invitationUrl }) => {
    const name = breakable(email);
    // Nothing else tells who gets no letter where the invitation leads.
    const url = !letters && invitationUrl && markup` <code>${invitationUrl}</code>`;
    return [
      { row: markup`<button class="link" name="email" value="${email}">${name}</button>${url}` },
      stateBadge(texts, state),
      invitedAt ? showTime(invitedAt, texts) : "",
      acceptedAt ? showTime(acceptedAt, texts) : "",
    ];
  });
  const head = [words.address, words.fields.state, words.states.invited, words.states.accepted];
  const caption = labels.peopleCaption({ count: people.length });
  const list = postForm({ action: PERSON_PATH }, table({ caption, head, rows }));
  const pages = pager(WAVE_PATH, [
    [words.firstPage, after !== undefined && { id }],
    [words.nextPage, next !== undefined && { id, after: next }],
  ]);
  return section("people", labels.people, markup`${list}${pages}`);
}
