/** What an operator can do with people: one table for the page of a person and for those chosen in the list. @module */
import type { OperationId } from "../../../shared/roles.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { linesOf, type PageContext, type PageFailure } from "../page_context.ts";

/** The name of an act, as forms send it. */
export type ActName = keyof ConsoleTexts["people"]["acts"];

interface Act {
  /** The operation that the role of the operator must allow. */
  needs: OperationId;
  /** What the page says before it asks; absent where the act is done at once. */
  ask?: (labels: ConsoleTexts["person"]) => Html;
  /** What the page of the person says afterwards. */
  done?: "reminded" | "marked" | "lifted";
  /** Acts on one person, and gives why it was not done; absent for acts that lead to a page or a file. */
  run?: (pageContext: PageContext, email: string) => Promise<string | undefined>;
}

export const ACTS: Record<ActName, Act> = {
  // The page that invites asks for what a wave needs.
  invite: { needs: "startWave" },
  remind: {
    needs: "remindSignups",
    done: "reminded",
    async run(pageContext, email) {
      const { operations, texts: { person, failures } } = pageContext;
      const work = await operations.remindSignups({ emails: [email] });
      if ("failure" in work) return failures.other;
      for (const line of await linesOf(work, pageContext)) {
        // The last line has the number of people under the same name.
        if (!("notReminded" in line) || "complete" in line) continue;
        return person.notReminded[line.notReminded.reason];
      }
      return undefined;
    },
  },
  undeliverable: {
    needs: "markUndeliverable",
    ask: ({ markWhat }) => markup`<p>${markWhat}</p>`,
    done: "marked",
    async run({ operations, texts }, email) {
      const report = await operations.markUndeliverable({ emails: [email] });
      if ("failure" in report) return whyNot(report, texts);
      return report.marked === 1 ? undefined : texts.person.notOnList;
    },
  },
  deliverable: {
    needs: "markDeliverable",
    done: "lifted",
    async run({ operations, texts }, email) {
      const report = await operations.markDeliverable({ emails: [email] });
      if ("failure" in report) return whyNot(report, texts);
      return report.lifted === 1 ? undefined : texts.person.notOnList;
    },
  },
  export: { needs: "exportSignups" },
  erase: {
    needs: "eraseSignup",
    ask: ({ eraseWhat, eraseRecord, eraseProof, eraseInvitation, eraseOutbox, eraseMark }) =>
      markup`<p>${eraseWhat}</p>
<ul class="bullets">
${[eraseRecord, eraseProof, eraseInvitation, eraseOutbox].map((each) => markup`<li>${each}</li>`)}
</ul>
<p>${eraseMark}</p>`,
    async run({ operations, texts }, email) {
      const erased = await operations.eraseSignup({ email });
      return "failure" in erased ? whyNot(erased, texts) : undefined;
    },
  },
};

export const ACT_NAMES = Object.keys(ACTS) as ActName[];

const whyNot = ({ failure }: PageFailure, { person, failures }: ConsoleTexts): string =>
  failure === "unknown" ? person.notOnList : failures.other;
