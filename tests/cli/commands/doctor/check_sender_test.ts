/** What `doctor` says of the sender's domain. No test asks a real DNS. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { type KnownSender, runChecks } from "../../../../cli/commands/doctor/check.ts";
import { SENDER_CHECKS } from "../../../../cli/commands/doctor/check_sender.ts";
import type { Dns } from "../../../../cli/context.ts";
import { makeTestFolder } from "../../../support/process.ts";
import { runCli } from "../../support/cli.ts";
import { OPERATOR, OPERATOR_KEY, runOperator, startCliService } from "../../support/service.ts";

type Records = Record<string, string[]>;

/** A DNS with some TXT records, and MX records under `mx:`. */
const dnsOf = (records: Records): Dns => ({
  txt: (name) => Promise.resolve(records[name] ?? []),
  mx: (name) => Promise.resolve(records[`mx:${name}`] ?? []),
});

const FINE: Records = {
  "example.com": ["google-site-verification=x", "v=spf1 include:_spf.example.net ~all"],
  "s1._domainkey.example.com": ["v=DKIM1; k=rsa; p=MIIBIjAN"],
  "_dmarc.example.com": ["v=DMARC1; p=quarantine"],
  "mx:example.com": ["mx1.example.net", "mx2.example.net"],
};
const OWN = { domain: "example.com", selector: "s1" };

const SENDER: KnownSender = {
  domain: "example.com",
  envelopeDomain: "example.com",
  signature: OWN,
};

/** The results and the messages, by the names of the checks. */
async function findingsOf(
  records: Records,
  sender: Partial<KnownSender> = {},
): Promise<Record<string, string>> {
  const input = { dns: dnsOf(records), sender: { ...SENDER, ...sender } };
  const findings = await runChecks(SENDER_CHECKS, input);
  return Object.fromEntries(
    findings.map(({ check, result, message }) => [check, `${result} ${message}`]),
  );
}

Deno.test("'doctor' shows the SPF, DKIM, DMARC and MX records of the sender's domain when none of them is missing", async () => {
  assert.deepEqual(await findingsOf(FINE), {
    spf: "ok example.com has 'v=spf1 include:_spf.example.net ~all'",
    dkim: "ok there is a key at s1._domainkey.example.com",
    dmarc: "ok _dmarc.example.com has 'v=DMARC1; p=quarantine', aligned by SPF and DKIM",
    mx: "ok mx1.example.net, mx2.example.net takes the mail of example.com",
  });
});

Deno.test("'doctor' names each DNS record of the sender's domain that is missing or wrong, and says how to correct it", async (t) => {
  const table: [check: string, finding: RegExp, records: Records][] = [
    [
      "spf",
      /^fault example\.com has no SPF .+'v=spf1 ip4:<.+> ~all', at example\.com; if your provider /,
      {
        "example.com": ["v=spf10 include:x"],
      },
    ],
    ["spf", /^fault example\.com has 2 SPF records, so mail servers use none of them/, {
      "example.com": ["v=spf1 -all", "v=spf1 mx ~all"],
    }],
    ["spf", /^fault .+ lets everybody send; replace '\+all' at the end of the record by '~all'/, {
      "example.com": ["v=spf1 +all"],
    }],
    ["spf", /^ok /, { "example.com": ["v=spf1 redirect=_spf.example.net"] }],
    [
      "dkim",
      /^fault there is no DKIM key at s1\._domainkey\.example\.com; add a TXT record at this name/,
      {
        "s1._domainkey.example.com": [],
      },
    ],
    ["dkim", /^fault .+ is revoked, because its p= is empty/, {
      "s1._domainkey.example.com": ["v=DKIM1; p="],
    }],
    [
      "dmarc",
      /^fault example\.com has no DMARC .+'v=DMARC1; p=none; .+' at _dmarc\.example\.com$/,
      {
        "_dmarc.example.com": [],
      },
    ],
    ["dmarc", /^fault _dmarc\.example\.com has 2 DMARC records/, {
      "_dmarc.example.com": ["v=DMARC1; p=none", "v=DMARC1; p=reject"],
    }],
    ["dmarc", /^fault .+ has no p=; add p=, as in 'v=DMARC1; p=none'$/, {
      "_dmarc.example.com": ["v=DMARC1; rua=mailto:a@example.com"],
    }],
    ["mx", /^fault example\.com has no MX record/, { "mx:example.com": [] }],
    ["mx", /^fault .+ says that the domain takes no mail \(RFC 7505\)/, {
      "mx:example.com": ["."],
    }],
  ];
  for (const [check, finding, records] of table) {
    await t.step(`${check}: ${finding}`, async () => {
      assert.match((await findingsOf({ ...FINE, ...records }))[check]!, finding);
    });
  }
});

Deno.test("'doctor' reports a fault of DMARC when neither SPF nor DKIM is aligned with the sender's domain", async () => {
  const [bounces, elsewhere] = ["bounces.example.com", "mail.example.org"];
  const foreign = { domain: "esp.example.org", selector: "k1" };
  const records = {
    ...FINE,
    "bounces.example.com": ["v=spf1 mx -all"],
    "mail.example.org": ["v=spf1 mx -all"],
    "k1._domainkey.esp.example.org": ["p=MIIB"],
  };
  const strict = { ...records, "_dmarc.example.com": ["v=DMARC1; p=none; aspf=s; adkim=s"] };
  const dmarcOf = async (...about: Parameters<typeof findingsOf>) =>
    (await findingsOf(...about)).dmarc!;
  const both = { envelopeDomain: bounces, signature: foreign };
  assert.match(await dmarcOf(records, both), /^ok .+, aligned by SPF$/);
  assert.match(await dmarcOf(strict, both), /^fault .+, and neither SPF nor DKIM passes/);
  const dkim = await dmarcOf(strict, { envelopeDomain: elsewhere });
  assert.match(dkim, /^ok .+, aligned by DKIM$/);
  assert.match(
    await dmarcOf(records, { envelopeDomain: elsewhere, signature: foreign }),
    /^fault /,
  );
  const api = await findingsOf(records, { envelopeDomain: undefined, signature: undefined });
  assert.match(
    api.spf!,
    /^unchecked the sender of the envelope is not known, because a mail API sets this sender/,
  );
  assert.match(
    api.dkim!,
    /^unchecked the selector of the DKIM key is not known; run 'waitlist letters test'/,
  );
  assert.match(api.dmarc!, /^unchecked .+ to check the alignment of DKIM/);
  // The record of the domain above holds for one below it.
  const below = { domain: "news.example.com", envelopeDomain: undefined };
  assert.match(await dmarcOf(records, below), /^ok _dmarc\.example\.com has .+, aligned by DKIM$/);
});

Deno.test("'doctor' reports a check as 'unchecked' when DNS does not answer", async () => {
  const dns: Dns = { ...dnsOf(FINE), txt: () => Promise.reject(new Error("queryTxt ETIMEOUT")) };
  const [spf, , dmarc, mx] = await runChecks(SENDER_CHECKS, { dns, sender: SENDER });
  assert.deepEqual([spf?.result, dmarc?.result, mx?.result], ["unchecked", "unchecked", "ok"]);
  assert.equal(
    spf?.message,
    "DNS did not answer, because of the error 'queryTxt ETIMEOUT'; run the command again",
  );
});

const SOURCE = `Received: from mx\r
DKIM-Signature: v=1; a=rsa-sha256; d=esp.example.net; s=k1; h=from;\r
 b=abc\r
DKIM-Signature: v=1; a=rsa-sha256;\r
 d=Example.com; s=s1; b=def\r
\r
DKIM-Signature: v=1; d=body.example; s=no\r
`;

Deno.test("'doctor --letter' checks the domains in a saved e-mail, and 'letters test' reports that no mail server answers", async () => {
  await using folder = await makeTestFolder();
  const letter = join(folder.path, "letter.eml");
  await Deno.writeTextFile(letter, SOURCE);
  await using service = await startCliService(undefined, {
    OPERATOR_KEY,
    MAIL_URL: "smtp://127.0.0.1:9",
    MAIL_FROM: "Waitlist <hello@example.com>",
  });
  const args = ["doctor", "--base-url", service.url, "--letter", letter];
  const { stdout } = await runCli(args, { env: OPERATOR, dns: dnsOf(FINE) });
  assert.match(stdout, /ok +dkim +there is a key at s1\._domainkey\.example\.com\n/);
  assert.match(stdout, /ok +dmarc +.+ aligned by SPF and DKIM\n/);
  await Deno.writeTextFile(letter, `Return-Path: <b@esp.example.net>\r\n${SOURCE}`);
  const own = await runCli(args, { env: OPERATOR, dns: dnsOf(FINE) });
  assert.match(own.stdout, /fault +spf +esp\.example\.net has no SPF record/);
  assert.match(own.stdout, /ok +dmarc +.+ aligned by DKIM\n/);
  const missing = await runCli(["doctor", "--letter", "/nowhere"], { env: OPERATOR });
  assert.equal(missing.code, 2);
  const tested = await runOperator(service.url, ["letters", "test", "ops@example.com"]);
  assert.equal(tested.code, 1);
  assert.match(
    tested.stdout,
    /^The mail server has not taken the e-mail, because of the error '.*refused.*'\. Check the service's MAIL_URL, MAIL_/i,
  );
});
