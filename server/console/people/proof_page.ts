/**
 * The page with the proof of consent alone, to print or to hand over. Its content has no form, and only one link, which
 * leads back to the person. @module
 */
import { markup } from "../../content/mod.ts";
import { facts, section, showExactTime } from "../components.ts";
import { type ConsolePage, PERSON_PATH } from "../page_context.ts";
import { historyTable } from "./history.ts";
import { findPerson, pathOfPerson } from "./find_person.ts";
import { consentFact, proofFacts } from "./proof.ts";

export const proofPage: ConsolePage = {
  path: `${PERSON_PATH}/proof`,
  async get(pageContext) {
    const person = await findPerson(pageContext);
    if ("body" in person) return person;
    const { texts, now, company, baseUrl } = pageContext;
    const { person: labels, people, words, overview } = texts;
    const personFacts = facts([
      [labels.responsible, `${company}, ${baseUrl}`],
      [words.address, markup`<span class="address">${person.email}</span>`],
      [words.fields.state, words.states[person.state ?? "waiting"]],
      [people.createdAt, showExactTime(person.createdAt, texts)],
      consentFact(person, texts, showExactTime),
    ]);
    return {
      title: labels.proof,
      body: markup`<p class="actions"><a class="button" href="${
        pathOfPerson(pageContext, person)
      }">${words.back}</a> <span class="soft">${labels.proofPrint}</span></p>
${personFacts}
${section("consent", labels.proofWording, proofFacts(person, texts))}
${section("history", labels.history, historyTable(person, texts, showExactTime))}
${person.imported && markup`<p>${labels.lastImport}</p>`}
<p class="hint">${overview.generated} ${showExactTime(new Date(now).toISOString(), texts)}</p>`,
    };
  },
};
