/**
 * Warns of settings and texts that an operator should change before the launch. Warns only if the public origin is
 * `https:`. @module
 */
import type { Config } from "../config/mod.ts";
import type { Language } from "./read_language.ts";

/** The name that the pages give to the company while neither `SITE_NAME` nor the brand has a name. */
export const PLACEHOLDER_NAME = "Example Company";

/** A warning that is logged at the start and shown on the overview of the console. */
export interface LaunchWarning {
  about:
    | "name"
    | "promise"
    | "picture"
    | "logo"
    | "contact"
    | "texts"
    | "letters"
    | "proxy"
    | "backups";
  /** One or two sentences that say what the fault is and what to do. They contain no e-mail address. */
  message: string;
}

/** The settings and texts on which the warnings depend. */
export interface LaunchSettings
  extends Pick<Config, "backup" | "contact" | "mail" | "isDenoDeploy" | "trustedProxyHops"> {
  baseUrl: string;
  siteName: string;
  /** Whether the company says in one line what it offers. */
  hasPromise: boolean;
  /** Whether the company has its own picture for link previews. */
  hasOwnPicture: boolean;
  /** Whether the company has a logo that letters cannot show. */
  lettersLackLogo: boolean;
  languages: Pick<Language, "pages">[];
}

/** Matches the beginning of those notes in the built-in texts that say what the company still has to write. */
const TO_DO_NOTE = /<!--\s*(?:To whoever runs this site|An alle, die diese Website betreiben)\b/;

/** Returns the warnings; an empty list if the public origin is `http:`, because such a service is only tried out. */
export function launchWarnings(settings: LaunchSettings): LaunchWarning[] {
  if (!settings.baseUrl.startsWith("https:")) return [];
  const unfinishedPages = settings.languages.flatMap(({ pages }) => pages)
    .filter(({ body }) => TO_DO_NOTE.test(body)).map(({ label }) => label).join(", ");
  const messages: Record<LaunchWarning["about"], string | false> = {
    name: settings.siteName === PLACEHOLDER_NAME &&
      `The pages and letters name the company '${PLACEHOLDER_NAME}'. Set SITE_NAME, or 'name' in brand.yaml.`,
    promise: !settings.hasPromise &&
      "The home page does not say what the company offers. Set 'promise' in brand.yaml, or write your own " +
        "index.md.",
    picture: !settings.hasOwnPicture &&
      "The picture of link previews is the built-in picture, which shows no company. Put your own picture into the " +
        "folder of CONTENT_PATH, as assets/social.png; 'deno task picture' makes such a picture from your home page.",
    logo: settings.mail !== undefined && settings.lettersLackLogo &&
      "Letters do not show the logo, because its file is not a PNG, or is larger than 100 KB. Set 'letter_logo' in " +
        "brand.yaml to a PNG of at most 100 KB.",
    contact: settings.contact === undefined &&
      "The contact address is only a guess, made of hello@ and the host of BASE_URL. Set CONTACT to an address that " +
        "somebody reads.",
    texts: unfinishedPages !== "" &&
      `Notes (<!-- … -->) in ${unfinishedPages} say what is still to be written there. Put your own texts, ` +
        "without the notes, into the folder of CONTENT_PATH.",
    letters: settings.mail?.target.kind === "folder" &&
      "Letters are put into a folder of this machine and reach nobody. Set MAIL_URL to a mail server or a " +
        "mail API.",
    proxy: settings.trustedProxyHops === 0 && !settings.isDenoDeploy &&
      "BASE_URL is https:, so a proxy is in front of the service. But TRUSTED_PROXY_HOPS is 0, so all visitors share " +
        "the limits of the proxy's address. Set TRUSTED_PROXY_HOPS to the number of your proxies.",
    backups: settings.backup?.recipients.length === 0 &&
      "Backups are not encrypted: whoever can read the folder of BACKUP_URL has all addresses. Set " +
        "BACKUP_RECIPIENT to the public key of an age key pair, and keep the secret key of this pair in another place.",
  };
  // The cast is needed because the type of `Object.entries` loses the names of the members.
  return Object.entries(messages).flatMap(([about, message]) =>
    message ? [{ about: about as LaunchWarning["about"], message }] : []
  );
}
