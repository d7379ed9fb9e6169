/** The columns that tables of people have for the form of the sign-up and for the answers of the people. @module */
import type { StoredSignup } from "../../shared/operator_schemas.ts";
import type { ConsoleTexts } from "../content/mod.ts";
import { nameIn } from "./components.ts";

const ANSWER_COLUMNS = ["source", "role", "building"] as const;

/** The name of a field of the person that has a column. */
export type AnswerColumn = typeof ANSWER_COLUMNS[number];

/** A person as far as the columns show the person. */
type AnsweringPerson = Pick<StoredSignup, AnswerColumn>;

/** Gives the columns in which at least one of the people has a value, because a table leaves the others out. */
export const answerColumnsOf = (people: AnsweringPerson[]): AnswerColumn[] =>
  ANSWER_COLUMNS.filter((name) => people.some((person) => person[name]));

/** Shows the form of the sign-up or an answer of the person; an empty text if the person gave none. */
export function answerOf(
  { source, ...answers }: AnsweringPerson,
  name: AnswerColumn,
  { words, answers: names }: ConsoleTexts,
): string {
  if (name === "source") return source === undefined ? "" : words.sources[source];
  return nameIn(names[name], answers[name] ?? "");
}
