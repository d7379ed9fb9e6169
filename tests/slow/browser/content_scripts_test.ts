/** What a folder of `CONTENT_PATH` can run in the browser of an operator who is signed in. */
import assert from "node:assert/strict";
import { SIGN_OUT_PATH } from "../../../server/console/page_context.ts";
import { LOGO, writeContent } from "../../support/brand.ts";
import { type ConsoleSuite, startConsoleSuite } from "./console.ts";
import { newAddress, signUp } from "./sign_up.ts";
import { test } from "./support.ts";

const note = (name: string) => `document.documentElement.dataset.ran += " ${name}";`;

/** A page that tries every way to run a script. */
const PRESS = `---
path: /press/
lang: en
title: Press
description: News.
---

# Press

<p id="top" onclick='${note("handler")}'>Click me</p>
<script>${note("inline")}</script>
<script src="/assets/own.js"></script>
<script type="module" src="/assets/sign_up.js"></script>
<img src="/assets/none.png" alt="" onerror='${note("error")}'>
<iframe srcdoc="<script>parent.${note("frame")}</script>"></iframe>

[Click this]( javascript:${note("address").replaceAll(" ", "")})
`;

const OVERLAY = {
  "en/press.md": PRESS,
  "assets/own.js": note("file"),
  "assets/sign_up.js": note("replaced"),
  "assets/copy.js": note("console"),
  "brand.yaml": "logo: logo.svg\n",
  "logo.svg": LOGO.replace("<circle", `<script>${note("logo")}</script><circle`),
};

/** Opens a page that tries to run scripts, and gives the names of those that ran. */
async function ran(suite: ConsoleSuite, path: string): Promise<string[]> {
  await using visitor = await suite.open("/operator/");
  const { page } = visitor;
  await page.goto(path);
  for (const name of ["Click me", "Click this"]) await page.getByText(name).click();
  const names = await page.evaluate<string | undefined>("document.documentElement.dataset.ran");
  return (names ?? "").split(" ").slice(1).sort();
}

/** Which scripts of the overlay run, by the value of `CONTENT_SCRIPTS`. */
const RUN = { off: [], on: ["file", "replaced"] };

for (const [CONTENT_SCRIPTS, names] of Object.entries(RUN)) {
  test(`Scripts of the overlay run on pages as CONTENT_SCRIPTS allows, and never on the console (CONTENT_SCRIPTS=${CONTENT_SCRIPTS})`, async () => {
    await using own = await writeContent(OVERLAY);
    const suite = await startConsoleSuite(0, { CONTENT_PATH: own.path, CONTENT_SCRIPTS });
    try {
      assert.deepEqual(await ran(suite, "/press/"), names);
      await using visitor = await suite.open("/operator/clients/");
      const { page } = visitor;
      await page.getByRole("textbox").first().fill("Dashboard");
      await page.getByRole("checkbox").first().check();
      await page.locator("main button").last().click();
      await page.getByRole("button", { name: "Copy" }).first().waitFor();
      assert.equal(await page.evaluate("document.documentElement.dataset.ran"), undefined);
    } finally {
      await suite.stop();
    }
  });
}

test("The built-in scripts still run when the overlay contains scripts of the same names", async () => {
  await using own = await writeContent(OVERLAY);
  const suite = await startConsoleSuite(0, { CONTENT_PATH: own.path });
  try {
    await using visitor = await suite.visit("/");
    const form = visitor.page.locator("#sign-up-hero form");
    await signUp(form, newAddress());
    await visitor.page.locator("#sign-up-hero .done").waitFor();
    assert.deepEqual(visitor.complaints, []);
    await using developer = await suite.visit("/developers/");
    await developer.page.locator(".try-it button").first().click();
    await developer.page.locator(".try-it .exchange pre").nth(1).waitFor();
    assert.deepEqual(developer.complaints, []);
  } finally {
    await suite.stop();
  }
});

test("A form on a page of the overlay changes nothing in the console when a signed-in operator sends the form", async (t) => {
  const form = (name: string, attributes = "") =>
    `<form method="post" action="${SIGN_OUT_PATH}"${attributes}><button>${name}</button></form>`;
  await using own = await writeContent({
    "en/press.md": PRESS.replace(
      /# Press[^]*/,
      `${form("plain")}\n${form("silent", ' rel="noreferrer"')}\n`,
    ),
    "en/team.md": PRESS.replace("/press/", "/team/")
      .replace(/# Press[^]*/, `<meta name="referrer" content="no-referrer">\n${form("meta")}\n`),
    "en/jobs.md": PRESS.replace("/press/", "/jobs/")
      .replace(/# Press[^]*/, `<meta name="referrer" content="origin">\n${form("origin")}\n`),
  });
  const suite = await startConsoleSuite(0, { CONTENT_PATH: own.path });
  try {
    await using visitor = await suite.open("/operator/");
    const { page } = visitor;
    for (
      const [path, name] of [["/press/", "plain"], ["/press/", "silent"], ["/team/", "meta"], [
        "/jobs/",
        "origin",
      ]]
    ) {
      await t.step(`${path} ${name}`, async () => {
        await page.goto(path!);
        await page.getByRole("button", { name: name! }).click();
        await page.getByText("This form was not sent by a page of the console").waitFor();
        await page.goto("/operator/");
        assert.equal(new URL(page.url()).pathname, "/operator/", `still signed in after ${name}`);
      });
    }
    await page.locator(".sign-out button").click();
    await page.waitForURL("**/operator/sign-in/**");
  } finally {
    await suite.stop();
  }
});
