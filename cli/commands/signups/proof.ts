/**
 * `waitlist signups proof`: shows how a person gave consent, in words, as a page to print, or as JSON.
 *
 * @module
 */
import { printable } from "../../../shared/api_failure.ts";
import { whyNoProof } from "../../../shared/missing_proof.ts";
import type { ShownSignup } from "../../../shared/operator_schemas.ts";
import { describeEvent, timelineOf } from "../../../shared/person_timeline.ts";
import { LANGS } from "../../../shared/schemas.ts";
import { UsageError } from "../../errors.ts";
import { cannotWrite } from "../../file_errors.ts";
import { parseChoice } from "../../flag_values.ts";
import { formatFields } from "../../format.ts";
import { defineAddressCommand } from "./address_command.ts";
import { PROOF_TEXTS, type ProofLang } from "./proof_texts.ts";

/** The lines of the proof: each a name in the chosen language, and a value. */
type ProofRows = [name: string, value: string][];

/** The longest value that is shown, in characters. */
const MAX_VALUE_LENGTH = 2_000;

export default defineAddressCommand({
  examples: [
    ["waitlist signups proof ada@example.com", "in words"],
    ["waitlist signups proof ada@example.com --lang de --output ada.html", "a page to print"],
    ["waitlist signups proof ada@example.com --json", "for programs"],
  ],
  addresses: ["<email>", "the person's address"],
  declare: (command) => {
    command
      .option("--lang <lang>", "the language of the words, en or de", "en")
      .option("--output <file>", "write a page (HTML) to this file, which only you can read");
  },
  parse: ([email], flags) => ({
    email: email!,
    lang: parseChoice("--lang", String(flags.lang), LANGS),
    output: flags.output as string | undefined,
  }),
  async act({ email, lang, output }, { connect, context }) {
    const person = await (await connect()).call("showSignup", { body: { email } });
    const rows = rowsOf(person, lang);
    const note = noteOf(person, lang);
    const json = jsonOf(person);
    if (output === undefined) {
      return { json, text: (style) => formatFields(rows, style), note: `${note}\n` };
    }
    await context.files.writePrivate(output, pageOf(rows, { note, lang })).catch((error) => {
      throw new UsageError(cannotWrite(`'${output}'`, error));
    });
    return { json: { ...json, file: output }, text: () => `Wrote the proof to ${output}.\n` };
  },
});

/** Returns the data about the consent of a person, for `--json`. */
function jsonOf(person: ShownSignup) {
  const { email, state, createdAt, consentedAt, imported, proof, wording } = person;
  const { lastLetters, corrections, history } = person;
  return {
    email,
    state,
    createdAt,
    consentedAt,
    imported,
    proof,
    wording,
    lastLetters,
    corrections,
    history,
  };
}

/** Makes the lines of the proof. */
function rowsOf(person: ShownSignup, lang: ProofLang): ProofRows {
  const { locale, timeline, ...texts } = PROOF_TEXTS[lang];
  const { proof, lastLetters, wording, state = "waiting", history, imported } = person;
  const timeFormat = new Intl.DateTimeFormat(locale, {
    dateStyle: "long",
    timeStyle: "medium",
    timeZone: "UTC",
  });
  const formatTime = (dateTime: string | undefined) =>
    dateTime && `${timeFormat.format(new Date(dateTime))} UTC`;
  // Without a proof, the form and the language are those of the record.
  const { source = person.source, lang: signUpLang = person.lang } = proof ?? {};
  const confirmationLetter = proof ?? lastLetters?.confirmation;
  const isSignUpFromFile = !proof && imported?.createdAt === person.createdAt;
  const consentInFile = imported?.consentedAt &&
    ` ${texts.consentInFile} ${formatTime(imported.consentedAt)}.`;
  const missingProof = `${texts.noProof[whyNoProof(person)]}${consentInFile ?? ""}`;
  const rows: [name: string, value: string | undefined][] = [
    [texts.address, person.email],
    [texts.state, texts.states[state]],
    [
      isSignUpFromFile ? timeline.steps.joinedInFile : texts.requestedAt,
      formatTime(proof?.requestedAt ?? person.createdAt),
    ],
    [texts.source, source && texts.sources[source]],
    [texts.lang, texts.langs[signUpLang]],
    [texts.wording, wording?.text],
    [texts.takenAt, formatTime(confirmationLetter?.takenAt)],
    [texts.answer, confirmationLetter?.answer],
    [texts.messageId, confirmationLetter?.messageId],
    [texts.confirmedAt, formatTime(proof?.confirmedAt) ?? missingProof],
  ];
  for (const event of timelineOf(person, { history, texts: timeline })) {
    const { at, entry, operator = entry?.operator } = event;
    const by = operator ? `, ${texts.by} ${operator}` : "";
    rows.push([texts.history, `${formatTime(at)}: ${describeEvent(event)}${by}`]);
  }
  return rows.flatMap(([name, value]) => value ? [[name, printable(value, MAX_VALUE_LENGTH)]] : []);
}

/** Escapes a text for HTML. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/**
 * Says that the service keeps no network address, and why the proof is enough if an e-mail led to the confirmation. For
 * an imported person without a proof, says that the tool that the list comes from keeps the evidence of the consent.
 */
function noteOf({ proof, imported }: ShownSignup, lang: ProofLang): string {
  const { noSourceAddress, proofIsEnough, evidenceElsewhere, times } = PROOF_TEXTS[lang];
  return [
    ...!proof && imported ? [evidenceElsewhere] : [],
    noSourceAddress,
    ...proof?.takenAt ? [proofIsEnough] : [],
    times,
  ].join(" ");
}

/** Makes an HTML page in black on white. It loads no other files. */
function pageOf(rows: ProofRows, { note, lang }: { note: string; lang: ProofLang }): string {
  const { title } = PROOF_TEXTS[lang];
  const items = rows.map(([name, value], index) => {
    const heading = name === rows[index - 1]?.[0] ? "" : `<dt>${escapeHtml(name)}</dt>\n`;
    return `${heading}<dd>${escapeHtml(value)}</dd>`;
  });
  return `<!doctype html>
<html lang="${lang}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>
body { max-width: 40rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 sans-serif; color: #000;
  background: #fff; overflow-wrap: anywhere; }
dt { margin-top: 1rem; font-weight: bold; break-after: avoid; }
dd { margin: 0; }
</style>
<h1>${title}</h1>
<dl>
${items.join("\n")}
</dl>
<p>${escapeHtml(note)}</p>
</html>
`;
}
