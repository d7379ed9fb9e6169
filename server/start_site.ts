/**
 * Makes the site, and what depends on the finished site: the number of waiting people that pages show, and the warnings
 * about what is still to do before people use the service. @module
 */
import { discoveryLinks } from "./api/mod.ts";
import { type Config, environmentUrls } from "./config/mod.ts";
import { type LaunchWarning, launchWarnings } from "./content/mod.ts";
import { lettersLackLogo } from "./letters/mod.ts";
import { refreshEachMinute, type RefreshedValue, type Runtime } from "./runtime/mod.ts";
import type { createSite, Site } from "./site/mod.ts";
import type { Kv } from "./store/kv/mod.ts";
import { readWaiting } from "./store/people/mod.ts";

interface StartSiteOptions {
  config: Pick<
    Config,
    | "site"
    | "sandboxClient"
    | "unconfirmedDays"
    | "backup"
    | "mail"
    | "hasReferrals"
    | "contact"
    | "trustedProxyHops"
    | "isDenoDeploy"
  >;
  /** The public origin, without a trailing slash. */
  baseUrl: string;
  /** The contact address that pages show. */
  contact: string;
  kv: Kv;
  runtime: Pick<Runtime, "repeat">;
  createSite: typeof createSite;
}

/** The site, and what depends on it. */
export interface StartedSite {
  site: Site;
  /**
   * Gives the number of waiting people, which is read again each minute until the caller closes this value. Absent if
   * no page shows the number.
   */
  waitingCount: RefreshedValue<number | undefined> | undefined;
  /** What is still to do before people use the service. */
  launchWarnings: LaunchWarning[];
}

/** Makes the site. If a page shows the number of waiting people, also begins to read this number each minute. */
export async function startSite(
  { config, baseUrl, contact, kv, runtime, createSite }: StartSiteOptions,
): Promise<StartedSite> {
  // This value is made after the site, because only the finished site tells whether a page shows the number. The site
  // gets a function that reads the value later.
  let waitingCount: RefreshedValue<number | undefined> | undefined;
  const site = await createSite({
    baseUrl,
    contact,
    sandboxClient: config.sandboxClient,
    unconfirmedDays: config.unconfirmedDays,
    backupDays: config.backup?.keep,
    sendsLetters: config.mail !== undefined,
    givesReferralCodes: config.hasReferrals,
    countWaiting: () => waitingCount?.get(),
    // The links lead to the production API, whose paths have no prefix.
    apiLinks: discoveryLinks(environmentUrls(baseUrl, "")),
    siteName: config.site.siteName,
    embedOrigins: config.site.embedOrigins,
    contentPath: config.site.contentPath,
    contentScripts: config.site.allowsContentScripts,
  });
  if (site.showsWaitingCount) {
    const options = { initial: undefined, repeat: runtime.repeat };
    waitingCount = await refreshEachMinute(() => readWaiting(kv), options);
  }
  return {
    site,
    waitingCount,
    launchWarnings: launchWarnings({
      baseUrl,
      // This is not the option `contact`, which has a default value, because a warning tells whether the operator has
      // set a contact.
      contact: config.contact,
      mail: config.mail,
      trustedProxyHops: config.trustedProxyHops,
      backup: config.backup,
      isDenoDeploy: config.isDenoDeploy,
      siteName: site.siteName,
      hasPromise: site.hasPromise,
      hasOwnPicture: site.hasOwnPicture,
      lettersLackLogo: lettersLackLogo(site.brand),
      languages: site.languages,
    }),
  };
}
