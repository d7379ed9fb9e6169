/**
 * Checks the DNS records by which mailbox providers verify the sender of letters: SPF (RFC 7208), DKIM (RFC 6376), DMARC
 * (RFC 7489) with its alignment, and MX.
 *
 * @module
 */
import { quotable } from "../../../shared/api_failure.ts";
import type { Dns } from "../../context.ts";
import {
  type CheckInput,
  type DoctorCheck,
  fault,
  type Finding,
  type KnownSender,
  ok,
  unchecked,
  type UnnamedFinding,
} from "./check.ts";
import { type Dmarc, dmarcName, findDmarc, isAligned } from "./dmarc.ts";

/** How many characters of a text from DNS are quoted at most. */
const MAX_QUOTED_LENGTH = 200;

/** Matches an SPF record (RFC 7208 §4.5). */
const SPF_RECORD = /^v=spf1(?: |$)/i;

/** Matches an SPF record by which every server may send, because it ends in `all` or `+all`. */
const ALLOWS_EVERYBODY = /(?:^| )\+?all(?: |$)/i;

/** Matches a record with the public key of DKIM (RFC 6376 §3.6.1). */
const DKIM_KEY = /(?:^|;)\s*p\s*=/i;

/** Matches a record of DKIM whose key is empty, because the key is revoked. */
const REVOKED_KEY = /(?:^|;)\s*p\s*=\s*(?:;|$)/i;

/** What the checks of the sender read. */
type SenderInput = Pick<CheckInput, "sender" | "dns">;

/**
 * Looks up the DNS records of the sender, and checks these records.
 *
 * @param earlierFindings the findings of the earlier checks
 */
type LookUp = (
  sender: KnownSender,
  dns: Dns,
  earlierFindings: Finding[],
) => Promise<UnnamedFinding>;

/** The checks of the sender in the order in which they run. DMARC needs the findings of SPF and DKIM. */
export const SENDER_CHECKS: DoctorCheck<SenderInput>[] = [
  { name: "spf", run: withDns(checkSpf) },
  { name: "dkim", run: withDns(checkDkim) },
  { name: "dmarc", run: withDns(checkDmarc) },
  { name: "mx", run: withDns(checkMx) },
];

/** Makes a check of the sender. If DNS does not answer, the check counts as not done. */
function withDns(lookUp: LookUp): DoctorCheck<SenderInput>["run"] {
  return async ({ sender, dns }, earlierFindings) => {
    if (!sender) return undefined;
    try {
      return await lookUp(sender, dns, earlierFindings);
    } catch (error) {
      const reason = quotable((error as Error).message, MAX_QUOTED_LENGTH);
      return unchecked(
        `DNS did not answer, because of the error '${reason}'; run the command again`,
      );
    }
  };
}

async function checkSpf(
  { envelopeDomain: domain }: KnownSender,
  dns: Dns,
): Promise<UnnamedFinding> {
  if (!domain) {
    return unchecked(
      "the sender of the envelope is not known, because a mail API sets this sender; give --letter FILE with the " +
        "source of an e-mail",
    );
  }
  const records = (await dns.txt(domain)).filter((text) => SPF_RECORD.test(text));
  const [record = "", ...others] = records;
  if (!record) {
    return fault(
      `${domain} has no SPF record`,
      "write the TXT record 'v=spf1 include:<your mail provider> ~all', or " +
        `'v=spf1 ip4:<the address of your mail server> ~all', at ${domain}; if your provider uses an envelope sender ` +
        "of its own, give --letter FILE with the source of an e-mail, to check the domain of that sender",
    );
  }
  if (others.length > 0) {
    return fault(
      `${domain} has ${records.length} SPF records, so mail servers use none of them`,
      "replace them by one record",
    );
  }
  if (ALLOWS_EVERYBODY.test(record)) {
    return fault(
      `the SPF record of ${domain} lets everybody send`,
      "replace '+all' at the end of the record by '~all'",
    );
  }
  return ok(`${domain} has '${quotable(record, MAX_QUOTED_LENGTH)}'`);
}

async function checkDkim({ signature, domain }: KnownSender, dns: Dns): Promise<UnnamedFinding> {
  if (!signature) {
    return unchecked(
      "the selector of the DKIM key is not known; run 'waitlist letters test', save the source of the test " +
        "e-mail in a file, and give this file with --letter FILE, or give --dkim SELECTOR",
    );
  }
  const name = `${signature.selector}._domainkey.${signature.domain}`;
  const records = await dns.txt(name);
  const record = records.find((text) => DKIM_KEY.test(text));
  if (record === undefined) {
    return fault(
      `there is no DKIM key at ${name}`,
      "add a TXT record at this name, with the value that your mail provider names, or with " +
        "'v=DKIM1; k=rsa; p=<the public key of your mail server>'",
    );
  }
  if (REVOKED_KEY.test(record)) {
    return fault(`the key at ${name} is revoked, because its p= is empty`, "publish a new key");
  }
  if (signature.domain === domain) return ok(`there is a key at ${name}`);
  return ok(`there is a key at ${name}, a domain other than ${domain}`);
}

async function checkDmarc(
  sender: KnownSender,
  dns: Dns,
  earlierFindings: Finding[],
): Promise<UnnamedFinding> {
  const { domain, envelopeDomain, signature } = sender;
  const dmarc = await findDmarc(domain, dns);
  if (!dmarc) {
    return fault(
      `${domain} has no DMARC record`,
      `write the TXT record 'v=DMARC1; p=none; rua=mailto:<a mailbox of yours>' at ${
        dmarcName(domain)
      }`,
    );
  }
  if ("fault" in dmarc) return fault(dmarc.fault, dmarc.toDo);
  const record = `${dmarcName(dmarc.domain)} has '${quotable(dmarc.record, MAX_QUOTED_LENGTH)}'`;
  const alignedMethods = findAlignedMethods(sender, dmarc, earlierFindings);
  if (alignedMethods.length > 0) return ok(`${record}, aligned by ${alignedMethods.join(" and ")}`);
  if (!envelopeDomain || !signature) {
    return unchecked(
      `${record}; give --letter FILE or --dkim SELECTOR to check the alignment of DKIM`,
    );
  }
  return fault(
    `${record}, and neither SPF nor DKIM passes for ${domain} or for an aligned domain`,
    `let your mail provider sign as ${domain}, or set the service's MAIL_RETURN_PATH to an address at ${domain}`,
  );
}

/**
 * Returns the names of the methods, SPF and DKIM, that pass for a domain aligned with the sender. DMARC passes only if
 * such a method passes. So the alignment of SPF counts only if the check `spf` has passed, and the alignment of DKIM
 * only if the check `dkim` has passed.
 */
function findAlignedMethods(
  { domain, envelopeDomain, signature }: KnownSender,
  dmarc: Dmarc,
  earlierFindings: Finding[],
): string[] {
  const hasPassed = (name: string) =>
    earlierFindings.some(({ check, result }) => check === name && result === "ok");
  const isSpfAligned = hasPassed("spf") && envelopeDomain &&
    isAligned(domain, envelopeDomain, dmarc, "aspf");
  const isDkimAligned = hasPassed("dkim") && signature &&
    isAligned(domain, signature.domain, dmarc, "adkim");
  return [...isSpfAligned ? ["SPF"] : [], ...isDkimAligned ? ["DKIM"] : []];
}

async function checkMx({ domain }: KnownSender, dns: Dns): Promise<UnnamedFinding> {
  const hosts = await dns.mx(domain);
  if (hosts.length === 0) {
    return fault(
      `${domain} has no MX record, so replies and bounces may reach nobody`,
      "write an MX record with the name of your mail server, or send from a domain that has an MX record",
    );
  }
  if (hosts.every((host) => host === "" || host === ".")) {
    return fault(
      `the MX record of ${domain} says that the domain takes no mail (RFC 7505), so many mail servers refuse e-mails from it`,
      "name a mail server in this record, or send from another domain",
    );
  }
  return ok(`${quotable(hosts.join(", "), MAX_QUOTED_LENGTH)} takes the mail of ${domain}`);
}
