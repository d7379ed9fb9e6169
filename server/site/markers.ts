/**
 * The markers of pages, such as `{{sign-up hero}}`, with the HTML and the Markdown that replace them. The markers
 * `{{place-…}}` are replaced by slots, which `self_service_pages.ts` and `refused_form.ts` fill for each request.
 * @module
 */
import {
  type Brand,
  escapeMarkdown,
  Html,
  inLanguage,
  type Language,
  markup,
  renderInline,
  type SourcePage,
} from "../content/mod.ts";
import { SOURCES } from "../waitlist/mod.ts";
import type { BrandAssets } from "./brand_assets.ts";
import { type Illustration, illustration, ILLUSTRATIONS } from "./illustrations.ts";
import { linkRequestForm } from "./link_request_form.ts";
import { signUpForm } from "./sign_up_form.ts";
import { tryItPanel } from "./try_it_panel.ts";

/** What replaces a marker such as `{{sign-up hero}}`. */
export interface Marker {
  /** Makes the HTML. This is a function, so that HTML is made only for the markers in the text of a page. */
  html: () => Html;
  /** The file name of the script that the HTML needs. */
  script?: string | undefined;
  /** The text that replaces the marker in the page's Markdown. Without it, the Markdown leaves the marker out. */
  markdown?: string;
}

/** Finds a marker by its name. @throws an Error with the names of all markers if no marker has this name */
export function findMarker(markers: Record<string, Marker>, name: string): Marker {
  const marker = Object.hasOwn(markers, name) && markers[name];
  if (marker) return marker;
  const known = Object.keys(markers).map((marker) => `{{${marker}}}`).join(", ");
  throw new Error(`{{${name}}} is not a marker; the markers are ${known}`);
}

/**
 * The slots of the pages of the self-service, for the content that differs from person to person. Each slot has a
 * marker `{{place-…}}`.
 */
const SLOTS = [
  "address",
  "confirm",
  "invitation",
  "line",
  "recommend",
  "kept",
  "answers",
  "data",
  "leave",
  "sure",
] as const;
/** The name of a slot. */
export type Slot = typeof SLOTS[number];

/** The script that the content of a slot needs. */
const SLOT_SCRIPTS: Partial<Record<Slot, string>> = { recommend: "recommend.js" };

/**
 * The HTML that marks a slot in a rendered page. For each request, the content of the slot replaces this HTML. The slot
 * `form` is for a sign-up form that was refused.
 */
export const slotHtml = (slot: Slot | "form"): string => `<slot name="${slot}"></slot>`;

/** Stands for the person's token in links to the self-service page. For each request, the token replaces this text. */
export const TOKEN_SLOT = "{token}";

interface MarkerOptions {
  /** Whether the service sends letters. */
  sendsLetters: boolean;
  brand: Pick<Brand, "address">;
  brandAssets: Pick<BrandAssets, "hasOwnLook" | "picture">;
}

/** Returns the markers of a page, by name. */
export function markersOf(
  { lang }: SourcePage,
  { texts: { sign_up, try_it, place }, selfService }: Language,
  { sendsLetters, brand, brandAssets }: MarkerOptions,
): Record<string, Marker> {
  const renderText = (text: string) => new Html(renderInline(text));
  const formMarker = (id: string, source?: string): Marker => ({
    script: "sign_up.js",
    html: () =>
      signUpForm({ id: `sign-up-${id}`, source, lang, texts: sign_up, renderText, sendsLetters }),
    markdown: sign_up.markdown,
  });
  const slotMarker = (name: Slot | "form"): Marker => ({ html: () => new Html(slotHtml(name)) });
  const illustrationMarker = (name: Illustration): Marker => ({
    html: () => illustration(name, !brandAssets.hasOwnLook),
  });
  return {
    ...Object.fromEntries(
      SOURCES.map((source) => [`sign-up ${source}`, formMarker(source, source)]),
    ),
    "sign-up embed": formMarker("embed"),
    "sign-up again": { ...slotMarker("form"), script: "sign_up.js" },
    "try-it": { script: "try_it.js", html: () => tryItPanel(try_it), markdown: try_it.markdown },
    "place-ask": {
      html: () => linkRequestForm(selfService.asking.path, place, sign_up.email_hint),
    },
    ...Object.fromEntries(
      SLOTS.map((name) => [`place-${name}`, { ...slotMarker(name), script: SLOT_SCRIPTS[name] }]),
    ),
    ...Object.fromEntries(ILLUSTRATIONS.map((name) => [`art-${name}`, illustrationMarker(name)])),
    "brand-picture": { html: () => inLanguage(brandAssets.picture, lang) ?? new Html("") },
    "brand-address": {
      html: () => markup`<p>${(brand.address ?? []).map((line) => markup`${line}<br>`)}</p>`,
      markdown: (brand.address ?? []).map(escapeMarkdown).join("\\\n"),
    },
  };
}
