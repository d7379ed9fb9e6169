import assert from "node:assert/strict";
import type { Page } from "playwright-core";

/** Is called on every page of a walk, with a name for it. */
export type LookAt = (page: Page, name: string) => Promise<void>;

const PEOPLE = "/operator/people/", INVITE = "/operator/invite/";

const SCHEDULE = "/operator/invite/schedule/";
const CHOSEN = "/operator/people/chosen/";
const SELECTION_PATH = "/operator/people/hits/";

/** The button of the form that is sent to a path; whatever the language, so are the forms. */
const button = (page: Page, path: string, which = "button") =>
  page.locator(`main form[action="${path}"] ${which}`);

/** Sends the form with a button, and waits until the page that it leads to is there. */
async function send(page: Page, path: string, which?: string): Promise<void> {
  const answer = page.waitForResponse((response) =>
    response.request().isNavigationRequest() && response.status() !== 303
  );
  await button(page, path, which).first().click();
  await answer;
  await page.waitForLoadState();
}

/** Sends the form of an act on the page of a person, and waits for the page that asks. */
async function act(page: Page, name: string): Promise<void> {
  await page.locator(`main form:has(input[value="${name}"]) button`).click();
  await page.locator("main a.button", { hasText: /Back|Zurück/ }).last().waitFor();
}

/** Walks an operator through the pages of people and of a person, and changes nothing. */
export async function walkPeople(page: Page, look: LookAt): Promise<void> {
  await page.goto(PEOPLE);
  await look(page, "people");
  await page.locator("#search").fill("person.10");
  await send(page, PEOPLE, ".primary");
  await look(page, "people-found");
  await page.locator("main .filters summary").click();
  await look(page, "people-filters");
  await page.locator("th a", { hasText: "person.100@" }).click();
  await page.locator("#proof").waitFor();
  await look(page, "person");
  const { pathname: person } = new URL(page.url());
  const back = async () => {
    await page.locator("main a.button", { hasText: /Back|Zurück/ }).last().click();
    await page.locator("#proof").waitFor();
  };
  await page.locator(`main a[href^="${person}/proof"]`).click();
  await page.locator("#consent").waitFor();
  await look(page, "person-proof");
  await back();
  await act(page, "invite");
  await look(page, "person-invite");
  await back();
  await page.locator(`main a[href^="${person}/correct"]`).click();
  await page.locator("#new_email").waitFor();
  await look(page, "person-correct");
  await back();
  await act(page, "undeliverable");
  await look(page, "person-undeliverable");
  await back();
  await act(page, "erase");
  await look(page, "person-erase");
  await back();
  await page.goto(`${PEOPLE}?lang=de&source=cta&order=oldest`);
  for (const box of (await page.locator("tbody input").all()).slice(0, 3)) await box.check();
  await send(page, CHOSEN, 'button[value="erase"]');
  await look(page, "people-chosen");
  await page.locator("main .actions a", { hasText: /Back|Zurück/ }).click();
  await page.locator("tbody input").first().waitFor();
  for (const box of (await page.locator("tbody input").all()).slice(0, 3)) await box.check();
  await send(page, CHOSEN, 'button[value="invite"]');
  await look(page, "people-invite");
  await page.locator("#link").fill("https://app.example.com/welcome?code={code}");
  await send(page, INVITE);
  await look(page, "people-invite-plan");
  await page.locator("main .actions a", { hasText: /Back|Zurück/ }).click();
  await page.locator("tbody input").first().waitFor();
  await look(page, "people-filtered");
  await send(page, SELECTION_PATH, 'button[value="erase"]');
  await page.locator("#typed").waitFor();
  await look(page, "people-hits");
  await page.goto("/operator/people/jobs/");
  await look(page, "jobs");
}

/** Walks an operator through a wave of invitations, which it sends. */
export async function walkWave(page: Page, look: LookAt): Promise<void> {
  const link = "https://app.example.com/welcome";
  await page.goto(INVITE);
  await look(page, "invite");
  await page.locator("#next").fill("3");
  await page.locator("#link").fill(link);
  await page.locator("#wave").fill(`wave-${Date.now()}`);
  await send(page, INVITE);
  await page.locator(".letters").waitFor();
  await look(page, "invite-plan-without-code");
  await send(page, INVITE, 'input[name="change"] ~ button');
  await page.locator("#link").fill(`${link}?code={code}`);
  await send(page, INVITE);
  await page.locator(".letters").waitFor();
  for (const width of [390, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    for (const letter of page.frames().slice(1)) {
      const frame = await letter.frameElement();
      await frame.scrollIntoViewIfNeeded();
      await letter.waitForLoadState();
      const inFrame = (code: string) => letter.evaluate<number>(code);
      while (await inFrame("innerWidth") !== await frame.evaluate((each) => each.clientWidth));
      const isWhole = await letter.evaluate("document.documentElement.scrollHeight <= innerHeight");
      assert(isWhole, `cut off at ${width}`);
    }
  }
  await look(page, "invite-plan");
  await send(page, INVITE, ".primary");
  await page.waitForURL(/\/wave\/\?id=/);
  // The page would load again while its letters are sent, and a page under test must stay.
  const wave = `${page.url()}&still=yes`;
  await page.goto(wave);
  await page.locator("#people").waitFor();
  await look(page, "wave");
  await page.goto(INVITE);
  await look(page, "waves");
}

/** Walks an operator through a schedule of waves, which is made and cancelled. */
export async function walkSchedule(page: Page, look: LookAt): Promise<void> {
  const id = `schedule-${Date.now()}`;
  await page.goto(INVITE);
  await page.locator(`main a[href="${SCHEDULE}"]`).click();
  await page.locator("#zone").waitFor();
  await look(page, "schedule");
  await page.locator("#id").fill(id);
  await page.locator("#next").fill("3");
  await page.locator("#link").fill("https://app.example.com/welcome?code={code}");
  await send(page, SCHEDULE);
  await page.locator("#byItself").waitFor();
  await look(page, "schedule-plan");
  await send(page, SCHEDULE, ".primary");
  await page.locator("#schedules").waitFor();
  await look(page, "schedules");
  await page.getByRole("button", { name: new RegExp(`${id} (beenden )?…`) }).click();
  await page.locator("main .danger").waitFor();
  await look(page, "schedule-cancel");
  await page.locator("main .danger").click();
  await page.locator("#schedules").waitFor();
}
