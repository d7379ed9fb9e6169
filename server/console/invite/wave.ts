/**
 * The form of a wave of invitations, which is handed on from page to page.
 *
 * @module
 */
import type { InvitationRequest } from "../../../shared/operator_schemas.ts";
import { type Fields, knownValue, LANGS, SOURCES } from "../components.ts";

/** Makes an id for a wave that sorts by time, as the CLI does: `2026-06-01-093000-123`. */
export function waveOf(now: number): string {
  return new Date(now).toISOString().replace("T", "-").replaceAll(":", "").replace(".", "-")
    .slice(0, -1);
}

/** A wave of the next people, as a form hands it on; the operation checks it. */
export type NextWave =
  & Pick<InvitationRequest, "wave" | "link" | "lang" | "source" | "role" | "building" | "letters">
  & { next: number };

/**
 * Reads a wave from the fields of a form.
 *
 * @param form has the wave's id in `wave` if the operator has chosen one, and else in `new_wave`
 * @param now for the id of a wave that has neither, in milliseconds since 1970
 */
export function waveOfForm(form: Fields, now: number): NextWave {
  const text = (name: string) => form.get(name)?.trim() ?? "";
  const lang = knownValue(LANGS, form.get("lang"));
  const source = knownValue(SOURCES, form.get("source"));
  return {
    wave: text("wave") || text("new_wave") || waveOf(now),
    next: Number(text("next")),
    link: text("link"),
    ...lang && { lang },
    ...source && { source },
    ...text("role") && { role: text("role") },
    ...text("building") && { building: text("building") },
    letters: form.has("letters"),
  };
}
