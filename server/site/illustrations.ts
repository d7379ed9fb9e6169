/**
 * The pictures that pages show to a visitor, such as a letter on its way or a place on the list. The pictures are SVG
 * inside the HTML of the page, so that the pictures can use the company's colours, which `site.css` and `brand.css`
 * define. @module
 */
import { Html } from "../content/mod.ts";

/**
 * The pictures. In this order, they show a letter in an envelope, a ticket, a ticket with a tick, a ticket in an
 * envelope, the outline of an absent ticket, and a torn ticket.
 */
export const ILLUSTRATIONS = ["inbox", "ticket", "place", "invitation", "left", "torn"] as const;
/** The name of a picture. */
export type Illustration = typeof ILLUSTRATIONS[number];

const TINT = "color-mix(in srgb, var(--accent) 12%, var(--raised))";
const INK = 'stroke="var(--ink)" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"';
const FAINT = `${INK} stroke-opacity=".35"`;

/** A soft disc behind the picture. */
const DISC = '<circle cx="210" cy="170" r="150" fill="var(--sun)" fill-opacity=".13"/>';

/** Small pieces of paper around the picture. */
const CONFETTI = '<g class="confetti" fill="var(--sun)">' +
  '<circle cx="62" cy="96" r="6"/><circle cx="372" cy="238" r="5"/>' +
  '<rect x="92" y="42" width="16" height="7" rx="2" transform="rotate(35 100 45)"/>' +
  '<rect x="338" y="288" width="16" height="7" rx="2" transform="rotate(-25 346 291)"/>' +
  '<g fill="var(--accent)"><circle cx="120" cy="302" r="5"/><circle cx="246" cy="26" r="5"/>' +
  '<rect x="38" y="212" width="16" height="7" rx="2" transform="rotate(-40 46 215)"/>' +
  '<rect x="370" y="140" width="16" height="7" rx="2" transform="rotate(60 378 143)"/></g></g>';

/** A tick in a disc. */
const TICK = '<g class="tick"><circle cx="324" cy="104" r="32" fill="var(--accent)" ' +
  'stroke="var(--paper)" stroke-width="5"/><path d="m310 105 10 10 18-20" stroke="var(--on-accent)" ' +
  'stroke-width="6" stroke-linecap="round" stroke-linejoin="round"/></g>';

/** The built-in emblem, half a sun on a line, around the point 0,0. */
const SUN = `<path d="M-34 14a34 34 0 0 1 68 0z" fill="var(--sun)"/><path d="M-48 15h96" ${INK}/>`;

/** The emblem of a company that has a look of its own: a star. */
const STAR =
  '<path d="m0-30 9 19 21 3-15 14 4 21L0 17l-19 10 4-21-15-14 21-3z" fill="var(--sun)"/>';

/** The outline of a ticket, with a notch above and below between its larger part and its stub. */
const TICKET_OUTLINE =
  "M104 112H250a12 12 0 0 0 24 0h42a14 14 0 0 1 14 14v92a14 14 0 0 1-14 14h-42" +
  "a12 12 0 0 0-24 0H104a14 14 0 0 1-14-14v-92a14 14 0 0 1 14-14z";

/** A ticket: an emblem and lines on its larger part, a code on its stub. */
const ticket = (emblem: string): string =>
  `<path d="${TICKET_OUTLINE}" fill="var(--raised)" ${INK}/>` +
  `<path d="M262 136v72" ${FAINT} stroke-dasharray="1 10"/><g transform="translate(170 158)">${emblem}</g>` +
  `<path d="M140 195h60M152 210h36" ${FAINT}/><path d="M288 142v60M300 142v60M309 142v60" ${INK}/>`;

/** The outline of a ticket that is not there any more. */
const ABSENT_TICKET = `<path d="${TICKET_OUTLINE}" ${FAINT} stroke-dasharray="2 11"/>`;

/** A heart in a disc. */
const HEART = '<g class="tick"><circle cx="324" cy="104" r="32" fill="var(--accent)" ' +
  'stroke="var(--paper)" stroke-width="5"/><path d="M324 119c-9-7-16-12-16-20a8.5 8.5 0 0 1 16-4 8.5 8.5 0 0 1 ' +
  '16 4c0 8-7 13-16 20z" fill="var(--on-accent)"/></g>';

/** A ticket in two parts: the larger part with an emblem, and the stub with the code. */
const tornTicket = (emblem: string): string =>
  '<g transform="rotate(-9 170 180) translate(-14 4)"><path d="M104 112H250l-9 20 11 20-11 20 11 20-11 20 9 20H104' +
  `a14 14 0 0 1-14-14v-92a14 14 0 0 1 14-14z" fill="var(--raised)" ${INK}/>` +
  `<g transform="translate(166 158)">${emblem}</g><path d="M136 195h60M148 210h36" ${FAINT}/></g>` +
  '<g transform="rotate(13 300 172) translate(20 -8)"><path d="M270 112h46a14 14 0 0 1 14 14v92a14 14 0 0 1-14 14h-46' +
  `l-9-20 11-20-11-20 11-20-11-20z" fill="var(--raised)" ${INK}/>` +
  `<path d="M291 142v60M302 142v60M311 142v60" ${INK}/></g>`;

/** A letter with an emblem and lines. */
const sheet = (emblem: string): string =>
  `<rect x="124" y="70" width="172" height="190" rx="8" fill="var(--raised)" ${INK}/>` +
  `<g transform="translate(210 115) scale(.88)">${emblem}</g><path d="M158 154h104M158 170h76" ${FAINT}/>`;

/** An open envelope from which another picture rises. @param inside the other picture */
const envelope = (inside: string): string =>
  `<path d="M88 158 210 70l122 88" fill="${TINT}" ${INK}/><g class="rise">${inside}</g>` +
  `<path d="M88 158v112a12 12 0 0 0 12 12h220a12 12 0 0 0 12-12V158l-122 72z" fill="${TINT}" ${INK}/>`;

/**
 * Returns a picture. Screen readers skip the picture.
 *
 * @param hasSun whether the emblem in the picture is the built-in sun; otherwise, it is a star
 */
export function illustration(name: Illustration, hasSun: boolean): Html {
  const emblem = hasSun ? SUN : STAR;
  const tiltedTicket = `<g transform="rotate(-7 210 172)">${ticket(emblem)}</g>`;
  const pictures: Record<Illustration, string> = {
    inbox: envelope(sheet(emblem)) + CONFETTI,
    ticket: tiltedTicket,
    place: tiltedTicket + TICK + CONFETTI,
    invitation: envelope(`<g transform="translate(18 -22) scale(.914)">${ticket(emblem)}</g>`) +
      CONFETTI,
    left: `<g transform="rotate(-7 210 172)">${ABSENT_TICKET}</g>` + HEART,
    torn: tornTicket(emblem),
  };
  return new Html(
    '<div class="art"><svg viewBox="0 0 420 340" width="420" height="340" fill="none" ' +
      `aria-hidden="true">${DISC}${pictures[name]}</svg></div>`,
  );
}
