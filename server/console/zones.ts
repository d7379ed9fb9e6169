/** Time zones that an operator enters into a form: by the IANA name, or by the city in it. @module */
import { findZone } from "../../shared/zones.ts";
import type { ConsoleTexts } from "../content/mod.ts";

/**
 * Returns the IANA name of the zone that an operator has entered, without the spaces around it. Returns a text that
 * names no zone as it is, so that the form shows it again.
 */
export function zoneOfText(text: string): string {
  const found = findZone(text);
  return "zone" in found ? found.zone : text.trim();
}

/** Says that there is no such zone, and names similar ones; `undefined` if the text names a zone. */
export function faultOfZone(text: string, { invite, imports }: ConsoleTexts): string | undefined {
  const found = findZone(text);
  if ("zone" in found) return undefined;
  const nearest = found.similar.join(", ");
  return nearest === ""
    ? invite.schedules.badZone({ zone: text })
    : imports.faults.similar_zones({ zone: text, nearest });
}
