/**
 * What tests of the sign-up form in a browser share.
 *
 * @module
 */
import type { Locator } from "playwright-core";
import type { WaitlistStats } from "../../../shared/schemas.ts";

let addresses = 0;

/** An address that nobody has signed up with, partly in capitals. */
export const newAddress = () => `Visitor.${++addresses}@Example.com`;

/** Statistics without the moment of their reading, to be compared. */
export function withoutTime(stats: WaitlistStats) {
  return { ...stats, generatedAt: undefined };
}

/** Fills a form as a person does, and sends it. */
export async function signUp(form: Locator, email: string): Promise<void> {
  await form.getByRole("textbox").fill(email);
  await form.getByRole("checkbox").check();
  await form.getByRole("button").click();
}
