import type { Overview } from "../../../shared/operator_schemas.ts";
import { type Html, markup } from "../../content/mod.ts";
import type { Lang } from "../../waitlist/mod.ts";
import { showTime } from "../components.ts";
import { OUTBOX_TEXTS } from "./texts.ts";

/** Says that all letters are paused, until when, and the reason that the mail server gave. */
export function describePause(
  { until, reason }: NonNullable<Overview["outbox"]["pause"]>,
  lang: Lang,
): Html {
  const texts = OUTBOX_TEXTS[lang];
  return markup`${texts.pause} ${showTime(until)}. ${texts.reason} <code>${reason}</code>`;
}
