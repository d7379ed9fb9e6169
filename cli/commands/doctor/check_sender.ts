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
import { dmarcName, findDmarc, isAligned } from "./dmarc.ts";

/** How many characters of a text from DNS are quoted at most. */
const MAX_QUOTED_LENGTH = 200;

/** What the checks of the sender read. */
type SenderInput = Pick<CheckInput, "sender" | "dns">;

/** Looks up the DNS records of the sender, and checks them. @param earlierFindings the findings of the earlier checks */
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
      return unchecked(`DNS did not answer: ${reason}; try again`);
    }
  };
}

async function checkSpf(
  { envelopeDomain: domain }: KnownSender,
  dns: Dns,
): Promise<UnnamedFinding> {
  if (!domain) {
    return unchecked(
      "the sender of the envelope is not known, because a mail API sets it; give --letter FILE",
    );
  }
  const records = (await dns.txt(domain)).filter((text) => /^v=spf1(?: |$)/i.test(text));
  const [record = "", ...others] = records;
  if (!record) {
    return fault(
      `${domain} has no SPF record`,
      "write the TXT record 'v=spf1 include:<your mail provider> ~all', or " +
        `'v=spf1 ip4:<the address of your mail server> ~all', at ${domain}; if your provider uses an envelope sender ` +
        "of its own, give --letter FILE to check that domain",
    );
  }
  if (others.length > 0) {
    return fault(
      `${domain} has ${records.length} SPF records, so none of them counts`,
      "join them in one record",
    );
  }
  if (/(?:^| )\+?all(?: |$)/i.test(record)) {
    return fault(
      `the SPF record of ${domain} lets everybody send`,
      "replace '+all' at its end by '~all'",
    );
  }
  return ok(`${domain} has '${quotable(record, MAX_QUOTED_LENGTH)}'`);
}

async function checkDkim({ signature, domain }: KnownSender, dns: Dns): Promise<UnnamedFinding> {
  if (!signature) {
    return unchecked(
      "the selector is not known; run 'waitlist letters test', save the source of the letter from the mailbox " +
        "and give it with --letter FILE, or give --dkim SELECTOR",
    );
  }
  const name = `${signature.selector}._domainkey.${signature.domain}`;
  const records = await dns.txt(name);
  const record = records.find((text) => /(?:^|;)\s*p\s*=/i.test(text));
  if (record === undefined) {
    return fault(
      `there is no key at ${name}`,
      "write the TXT record of your mail provider there, or " +
        "'v=DKIM1; k=rsa; p=<the public key of your mail server>'",
    );
  }
  if (/(?:^|;)\s*p\s*=\s*(?:;|$)/i.test(record)) {
    return fault(`the key at ${name} is revoked: its p= is empty`, "publish a new key");
  }
  if (signature.domain === domain) return ok(`there is a key at ${name}`);
  return ok(`there is a key at ${name}, a domain other than ${domain}`);
}

async function checkDmarc(
  { domain, envelopeDomain, signature }: KnownSender,
  dns: Dns,
  earlierFindings: Finding[],
): Promise<UnnamedFinding> {
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
  // DMARC passes only if SPF or DKIM passes. So the alignment of SPF counts only if the check `spf` has passed, and the
  // alignment of DKIM only if the check `dkim` has passed.
  const hasPassed = (name: string) =>
    earlierFindings.some(({ check, result }) => check === name && result === "ok");
  const isSpfAligned = hasPassed("spf") && envelopeDomain &&
    isAligned(domain, envelopeDomain, dmarc, "aspf");
  const isDkimAligned = hasPassed("dkim") && signature &&
    isAligned(domain, signature.domain, dmarc, "adkim");
  const record = `${dmarcName(dmarc.domain)} has '${quotable(dmarc.record, MAX_QUOTED_LENGTH)}'`;
  if (isSpfAligned || isDkimAligned) {
    const aligned = [...isSpfAligned ? ["SPF"] : [], ...isDkimAligned ? ["DKIM"] : []];
    return ok(`${record}, aligned by ${aligned.join(" and ")}`);
  }
  if (!envelopeDomain || !signature) {
    return unchecked(`${record}; give --letter or --dkim to check the alignment of DKIM`);
  }
  return fault(
    `${record}, and neither SPF nor DKIM passes for a domain of ${domain}`,
    `let your mail provider sign as ${domain}, or set MAIL_RETURN_PATH to an address of it`,
  );
}

async function checkMx({ domain }: KnownSender, dns: Dns): Promise<UnnamedFinding> {
  const hosts = await dns.mx(domain);
  if (hosts.length === 0) {
    return fault(
      `${domain} has no MX record, so answers and bounces may reach nobody`,
      "write an MX record with the name of your mail server, or send from a domain that has one",
    );
  }
  if (hosts.every((host) => host === "" || host === ".")) {
    return fault(
      `the MX record of ${domain} says that the domain takes no mail (RFC 7505), so many mailboxes refuse its letters`,
      "name a mail server in it, or send from another domain",
    );
  }
  return ok(`${quotable(hosts.join(", "), MAX_QUOTED_LENGTH)} takes the mail of ${domain}`);
}
