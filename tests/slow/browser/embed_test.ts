import assert from "node:assert/strict";
import type { FrameLocator } from "playwright-core";
import { SOURCES } from "../../../shared/schemas.ts";
import { faultBeside, LANGUAGES, newAddress, oneMore, signUp, withoutTime } from "./sign_up.ts";
import { startSuite, type Suite, test, violations } from "./support.ts";

/** Serves pages of another site, whose origin is allowed or not. */
function serveSite() {
  return Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    const framed = new URL(request.url).searchParams.get("frame") ?? "";
    const page = `<!doctype html><html lang="en"><title>Another site</title><h1>Another site</h1>
<iframe src="${framed}" title="Join the waitlist" style="width: 100%; height: 28rem; border: 0"></iframe>`;
    return new Response(page, { headers: { "Content-Type": "text/html" } });
  });
}

const [listed, stranger] = [serveSite(), serveSite()];
let suite: Suite;
Deno.test.beforeAll(async () => {
  suite = await startSuite({ EMBED_ORIGINS: `http://localhost:${listed.addr.port}` });
});
Deno.test.afterAll(async () => {
  await suite.stop();
  await Promise.all([listed.shutdown(), stranger.shutdown()]);
});

/** The address of a page of a site that frames a path of the service. */
const framing = ({ addr }: typeof listed, path: string) =>
  `http://localhost:${addr.port}/?frame=${encodeURIComponent(suite.baseUrl + path)}`;

/** Whether all of a frame's page can be seen without scrolling. */
async function fits(frame: FrameLocator): Promise<boolean> {
  return await frame.locator("html").evaluate((
    { scrollWidth, clientWidth, scrollHeight, ownerDocument },
  ) => scrollWidth <= clientWidth && scrollHeight <= ownerDocument.defaultView!.innerHeight);
}

for (const { lang, embed, thanks, done, refused, notAscii } of LANGUAGES) {
  for (const width of [320, 1000]) {
    test(`framed form signs up in its place when scripts are on (${lang}, ${width} px)`, async () => {
      const before = await suite.statistics();
      await using visitor = await suite.visit(framing(listed, embed), { width });
      const frame = visitor.page.frameLocator("iframe");
      const form = frame.locator("form");
      await form.getByRole("button").click();
      await faultBeside(form, "consent").filter({ hasText: /\w/ }).waitFor();
      assert(await fits(frame), "with its faults");
      const address = newAddress();
      await signUp(form, address);
      await frame.getByText(done).waitFor();
      assert(await frame.getByText(address).isVisible());
      assert(await fits(frame), "with its thanks");
      const after = await suite.statistics();
      assert.deepEqual(withoutTime(after), withoutTime(oneMore(before, lang)));
      assert.deepEqual(visitor.complaints, []);
    });

    test(`framed form leads to pages in its frame when scripts are off (${lang}, ${width} px)`, async () => {
      await using visitor = await suite.visit(framing(listed, embed), { width, scripts: false });
      const frame = visitor.page.frameLocator("iframe");
      await frame.locator("form").evaluate((form) => form.setAttribute("novalidate", ""));
      await signUp(frame.locator("form"), "jörg@example.com");
      await frame.getByRole("heading", { name: refused }).waitFor();
      assert.match(
        await faultBeside(frame.locator("form"), "email").textContent() ?? "",
        notAscii,
      );
      assert.equal(await frame.getByRole("navigation").count(), 0);
      await signUp(frame.locator("form"), newAddress());
      const heading = frame.getByRole("heading", { name: thanks.heading });
      await heading.waitFor();
      const above = await heading.boundingBox();
      const below = await frame.locator("h1 + p").boundingBox();
      assert(above && below && below.y - above.y - above.height >= 8, "room below the heading");
      assert.equal(await frame.getByRole("navigation").count(), 0);
      assert(await fits(frame));
      const home = frame.getByRole("link").last();
      const opened = visitor.page.context().waitForEvent("page");
      await home.click();
      assert.equal(new URL((await opened).url()).origin, suite.baseUrl, "out of the frame");
    });
  }

  for (const colorScheme of ["light", "dark"] as const) {
    test(`framed form has no fault that axe tells of (${lang}, ${colorScheme})`, async () => {
      await using visitor = await suite.visit(embed, { colorScheme, width: 320 });
      const found = await violations(visitor.page);
      // The page around the frame has the heading.
      assert.deepEqual(found.filter((text) => !text.startsWith("page-has-heading-one")), []);
      assert.deepEqual(visitor.complaints, []);
    });
  }
}

test("framed form stays away when the site is not listed, and other pages do from every site", async () => {
  for (
    const [site, path] of [[stranger, "/embed/"], [listed, "/"], [listed, "/place/"]] as const
  ) {
    await using visitor = await suite.visit(framing(site, path));
    const refusal = visitor.complaints.find((text) => text.includes("frame-ancestors"));
    assert(refusal, `${path} in a frame`);
    const forms = SOURCES.map((source) => `#sign-up-${source}`).join(", ");
    assert.equal(await visitor.page.frameLocator("iframe").locator(forms).count(), 0);
  }
});
