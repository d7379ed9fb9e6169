/**
 * Whether mailbox providers believe the sender of letters: SPF (RFC 7208), DKIM (RFC 6376), DMARC (RFC 7489) with
 * alignment, and MX of the domain of `MAIL_FROM`. @module
 */
import { quotable } from "../../../shared/api_failure.ts";
import type { Overview } from "../../../shared/operator_schemas.ts";
import type { Dns } from "../../context.ts";
import { faulty, type Finding, fine, unchecked } from "./finding.ts";
import { findDmarc, isAligned } from "./dmarc.ts";
import type { Signature } from "./signature.ts";

type Sender = NonNullable<Overview["sender"]>;

const domainOf = (address: string) => address.slice(address.lastIndexOf("@") + 1).toLowerCase();

/** @param signature the domain and the selector of the letters' DKIM signature; `undefined` where none was given */
export async function checkSender(
  { from, envelope }: Sender,
  { dns, signature }: { dns: Dns; signature: Signature | undefined },
): Promise<Finding[]> {
  const domain = domainOf(from);
  const spf = await looked("spf", () => checkSpf(envelope && domainOf(envelope), dns));
  const dkim = await looked("dkim", () => checkDkim(signature, domain, dns));
  const dmarc = await looked("dmarc", () => {
    return checkDmarc(domain, {
      dns,
      // What fails by itself aligns with nothing.
      spf: spf.result === "ok" && envelope ? domainOf(envelope) : undefined,
      dkim: dkim.result === "ok" ? signature?.domain : undefined,
      isUnknown: !envelope || !signature,
    });
  });
  return [spf, dkim, dmarc, await looked("mx", () => checkMx(domain, dns))];
}

/** Says of DNS that does not answer that nothing is known. */
async function looked(check: string, look: () => Promise<Finding>): Promise<Finding> {
  try {
    return await look();
  } catch (error) {
    const reason = quotable((error as Error).message, 200);
    return unchecked(check, `DNS did not answer: ${reason}; try again`);
  }
}

async function checkSpf(domain: string | undefined, dns: Dns): Promise<Finding> {
  if (!domain) {
    return unchecked(
      "spf",
      "a mail API sends with an envelope of its own, which --letter shows",
    );
  }
  const records = (await dns.txt(domain)).filter((text) => /^v=spf1(?: |$)/i.test(text));
  const [record = "", ...others] = records;
  if (!record) {
    return faulty(
      "spf",
      `${domain} has no SPF record; write the TXT record 'v=spf1 include:<your mail provider> ~all', or ` +
        `'v=spf1 ip4:<the address of your mail server> ~all', at ${domain}; a provider that sends with an envelope ` +
        "of its own needs none there, and --letter shows it",
    );
  }
  if (others.length > 0) {
    return faulty(
      "spf",
      `${domain} has ${records.length} SPF records, so that none counts; write one with the terms of all`,
    );
  }
  if (/(?:^| )\+?all(?: |$)/i.test(record)) {
    return faulty(
      "spf",
      `the SPF record of ${domain} lets everybody send; write '~all' in place of '+all' at its end`,
    );
  }
  return fine("spf", `${domain} has '${quotable(record, 200)}'`);
}

async function checkDkim(
  signature: Signature | undefined,
  domain: string,
  dns: Dns,
): Promise<Finding> {
  if (!signature) {
    return unchecked(
      "dkim",
      "the selector is not known; run 'waitlist letters test', save the source of the letter from the mailbox, " +
        "and give it as --letter FILE, or give --dkim SELECTOR",
    );
  }
  const name = `${signature.selector}._domainkey.${signature.domain}`;
  const records = await dns.txt(name);
  const record = records.find((text) => /(?:^|;)\s*p\s*=/i.test(text));
  if (record === undefined) {
    return faulty(
      "dkim",
      `there is no key at ${name}; write the TXT record there that your mail provider shows, or ` +
        "'v=DKIM1; k=rsa; p=<the public key of your mail server>'",
    );
  }
  if (/(?:^|;)\s*p\s*=\s*(?:;|$)/i.test(record)) {
    return faulty("dkim", `the key at ${name} is revoked, as its p= is empty; publish a new one`);
  }
  if (signature.domain === domain) return fine("dkim", `there is a key at ${name}`);
  return fine("dkim", `there is a key at ${name}, a domain other than ${domain}`);
}

async function checkDmarc(
  domain: string,
  { dns, spf, dkim, isUnknown }: {
    dns: Dns;
    spf: string | undefined;
    dkim: string | undefined;
    isUnknown: boolean;
  },
): Promise<Finding> {
  const found = await findDmarc(domain, dns);
  if (!found) {
    return faulty(
      "dmarc",
      `${domain} has no DMARC record; write the TXT record 'v=DMARC1; p=none; rua=mailto:<a mailbox of yours>' at ` +
        `_dmarc.${domain}`,
    );
  }
  if ("fault" in found) return faulty("dmarc", found.fault);
  const aligned = [
    spf && isAligned(domain, spf, found, "aspf") && "SPF",
    dkim && isAligned(domain, dkim, found, "adkim") && "DKIM",
  ].filter(Boolean);
  const record = `${found.at} has '${quotable(found.record, 200)}'`;
  if (aligned.length > 0) return fine("dmarc", `${record}, aligned by ${aligned.join(" and ")}`);
  if (isUnknown) {
    return unchecked("dmarc", `${record}; whether DKIM is aligned, --dkim or --letter shows`);
  }
  return faulty(
    "dmarc",
    `${record}, and neither SPF nor DKIM passes for a domain of ${domain}; let your mail provider sign as ` +
      `${domain}, or set MAIL_RETURN_PATH to an address of it`,
  );
}

async function checkMx(domain: string, dns: Dns): Promise<Finding> {
  const hosts = await dns.mx(domain);
  if (hosts.length === 0) {
    return faulty(
      "mx",
      `${domain} has no MX record, so that answers and bounces may reach nobody; write one that names the server ` +
        "which takes its mail, or send from a domain that has one",
    );
  }
  if (hosts.every((host) => host === "" || host === ".")) {
    return faulty(
      "mx",
      `the MX record of ${domain} says that it takes no mail (RFC 7505), which keeps its letters out of many ` +
        "mailboxes; name a server, or send from another domain",
    );
  }
  return fine("mx", `${quotable(hosts.join(", "), 200)} takes the mail of ${domain}`);
}
