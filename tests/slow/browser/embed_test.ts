import assert from "node:assert/strict";
import type { FrameLocator, Page } from "playwright-core";
import { SOURCES } from "../../../shared/schemas.ts";
import { faultBeside, LANGUAGES, newAddress, oneMore, signUp } from "./sign_up.ts";
import { startSuite, type Suite, test, violations } from "./support.ts";

/** The host of another site, whose cookies would be those of a third party. */
const HOST = "127.0.0.1";

/** Serves pages of another site with the strictest policies that let the form in; its origin is allowed or not. */
function serveSite() {
  return Deno.serve({ hostname: HOST, port: 0, onListen() {} }, (request) => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/favicon.ico") return new Response(null, { status: 204 });
    const { baseUrl } = suite;
    const framed = searchParams.get("frame") ?? "";
    const height = searchParams.get("height");
    const scheme = searchParams.get("scheme") ?? "light";
    const sandbox = searchParams.get("sandbox");
    const limits = sandbox === null ? "" : ` sandbox="${sandbox}"`;
    const page = `<!doctype html><html lang="en"><meta name="color-scheme" content="${scheme}">
<title>Another site</title><h1>Another site</h1>
<iframe src="${framed}" title="Join the waitlist" width="100%" height="${height}" frameborder="0"${limits}></iframe>
<script src="${baseUrl}/embed.js" async></script>`;
    const policy = ["script-src", "frame-src", "connect-src"].map((name) => `${name} ${baseUrl}`);
    return new Response(page, {
      headers: {
        "Content-Type": "text/html",
        "Content-Security-Policy": ["default-src 'none'", ...policy].join("; "),
        ...searchParams.get("isolated") !== "no" && {
          "Cross-Origin-Embedder-Policy": "require-corp",
        },
      },
    });
  });
}

const [listed, stranger] = [serveSite(), serveSite()];
let suite: Suite;
Deno.test.beforeAll(async () => {
  suite = await startSuite({ EMBED_ORIGINS: `http://${HOST}:${listed.addr.port}` });
});
Deno.test.afterAll(async () => {
  await suite.stop();
  await Promise.all([listed.shutdown(), stranger.shutdown()]);
});

/** The address of a page of a site that frames a path of the service. */
const framing = ({ addr }: typeof listed, path: string, options: Record<string, string> = {}) =>
  `http://${HOST}:${addr.port}/?${new URLSearchParams({
    frame: suite.baseUrl + path,
    height: "100",
    ...options,
  })}`;

/** Waits until a frame is as high as what it shows, to the pixel. */
async function fitted(page: Page): Promise<void> {
  const shown = await page.locator("iframe").elementHandle();
  const inside = await (await shown!.contentFrame())!.locator("body").elementHandle();
  for (;;) {
    const [outer, inner] = await Promise.all([shown!.boundingBox(), inside!.boundingBox()]);
    if (outer && inner && outer.height === Math.ceil(inner.height)) return;
    await page.evaluate("new Promise(requestAnimationFrame)");
  }
}

/** Whether all of a frame's page can be seen without scrolling. */
async function fits(frame: FrameLocator): Promise<boolean> {
  return await frame.locator("html").evaluate((
    { scrollWidth, clientWidth, scrollHeight, ownerDocument },
  ) => scrollWidth <= clientWidth && scrollHeight <= ownerDocument.defaultView!.innerHeight);
}

for (const { lang, embed, thanks, done, notAscii } of LANGUAGES) {
  for (const width of [320, 1000]) {
    test(`The form in a frame signs a visitor up and opens no other page when scripts are on (${lang}, ${width} px)`, async () => {
      const before = await suite.statistics();
      await using visitor = await suite.visit(framing(listed, embed), { width });
      const frame = visitor.page.frameLocator("iframe");
      const form = frame.locator("form");
      await form.getByRole("button").click();
      await faultBeside(form, "consent").filter({ hasText: /\w/ }).waitFor();
      await fitted(visitor.page);
      assert(await fits(frame), "with its faults");
      const address = newAddress();
      await signUp(form, address);
      await frame.getByText(done).waitFor();
      assert(await frame.getByText(address).isVisible());
      await fitted(visitor.page);
      assert(await fits(frame), "with its thanks");
      assert.deepEqual(await suite.statistics(), oneMore(before, lang));
      assert.deepEqual(visitor.complaints, []);
    });

    test(`The form in a frame opens the thanks page in the same frame when scripts are off (${lang}, ${width} px)`, async () => {
      await using visitor = await suite.visit(framing(listed, embed, { height: "448" }), {
        width,
        scripts: false,
      });
      const frame = visitor.page.frameLocator("iframe");
      await frame.locator("form").evaluate((form) => form.setAttribute("novalidate", ""));
      await frame.getByRole("textbox").fill("jörg@example.com");
      await frame.getByRole("button").click();
      await faultBeside(frame.locator("form"), "email").filter({ hasText: notAscii }).waitFor();
      assert(await fits(frame), "with its faults");
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
      // A new page begins as about:blank.
      await (await opened).waitForURL((url) => url.origin === suite.baseUrl);
    });
  }

  test(`axe finds no fault in the form for frames, whether the form is opened directly or in a frame (${lang})`, async () => {
    await using visitor = await suite.visit(embed, { width: 320 });
    const { page } = visitor;
    assert(await page.getByRole("heading", { level: 1 }).isVisible());
    assert.deepEqual(await violations(page), [], "alone");
    // In a frame, the page is transparent, and axe takes that for white.
    await page.evaluate(
      "document.body.className = 'embed', document.body.style.background = 'Canvas'",
    );
    assert.deepEqual(await violations(page), [], "in a frame");
    assert.deepEqual(visitor.complaints, []);
  });
}

/** The values of `sandbox` with which a person can sign up. */
const SANDBOXES = {
  "allow-forms": "opaque",
  "allow-scripts allow-forms": "opaque",
  "allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox": "opaque",
  "allow-scripts allow-forms allow-same-origin": "own",
};

for (const { lang, embed, thanks, done } of LANGUAGES) {
  for (const [sandbox, origin] of Object.entries(SANDBOXES)) {
    test(`The form in a frame signs a visitor up when the frame has sandbox="${sandbox}" (${lang})`, async () => {
      const before = await suite.statistics();
      const options = { sandbox, height: "448" };
      await using visitor = await suite.visit("about:blank");
      const { page, complaints } = visitor;
      // With the header by which a visitor gets an address here, a browser would ask before it loads a font or a script.
      await page.context().setExtraHTTPHeaders({});
      await page.goto(framing(listed, `${embed}?source=hero`, options));
      const frame = page.frameLocator("iframe");
      const form = frame.locator("form");
      assert.equal(await form.getByRole("textbox").count(), 1, "the honeypot is hidden");
      const [font, corner] = await form.evaluate(async (element) => {
        const { fonts, defaultView } = element.ownerDocument;
        await fonts.ready;
        const email = element.querySelector("input[type=email]")!;
        return [[...fonts][0]?.status, defaultView!.getComputedStyle(email).borderRadius];
      });
      assert.equal(font, "loaded");
      assert.notEqual(corner, "0px", "the style sheet is there");
      if (sandbox.includes("allow-scripts")) await fitted(page);
      // A mistake stays in the frame, too.
      await form.getByRole("textbox").fill("nobody@nowhere");
      await form.getByRole("checkbox").check();
      await form.getByRole("button").click();
      assert.equal(await form.getByRole("textbox").inputValue(), "nobody@nowhere");
      await signUp(form, newAddress());
      if (origin === "own") await frame.getByText(done).waitFor();
      else await frame.getByRole("heading", { name: thanks.heading }).waitFor();
      if (sandbox.includes("allow-scripts")) await fitted(page);
      assert.deepEqual(await suite.statistics(), oneMore(before, lang, "hero"));
      const blocked = /Blocked script execution in .* because the document's frame is sandboxed/;
      const others = complaints.filter((text) =>
        sandbox.includes("allow-scripts") || !blocked.test(text)
      );
      assert.deepEqual(others, []);
    });
  }
}

test("The form in a frame opens its links as whole pages when the sandbox has allow-popups-to-escape-sandbox", async () => {
  const sandbox = "allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox";
  await using visitor = await suite.visit(framing(listed, "/embed/", { sandbox, height: "448" }));
  const { page } = visitor;
  const opened = page.context().waitForEvent("page");
  await page.frameLocator("iframe").getByRole("link").first().click();
  const other = await opened;
  await other.waitForURL((url) => url.origin === suite.baseUrl);
  assert.equal(await other.getByRole("heading", { level: 1 }).count(), 1);
  assert.equal(await other.evaluate("self.origin"), suite.baseUrl, "out of the sandbox");
  // In a pop-up that stays in the sandbox, the browser refuses pages with `Cross-Origin-Opener-Policy`.
  const caged = framing(listed, "/embed/", { sandbox: "allow-forms allow-popups", height: "448" });
  await page.goto(caged);
  const refused = page.context().waitForEvent(
    "requestfailed",
    (request) => request.failure()?.errorText === "net::ERR_BLOCKED_BY_RESPONSE",
  );
  await page.frameLocator("iframe").getByRole("link").first().click();
  assert.equal((await refused).isNavigationRequest(), true);
});

test("The form in a frame sends the surrounding page's referral code whether or not the frame's URL has a `source`", async () => {
  for (const { embed } of LANGUAGES) {
    for (const path of [embed, `${embed}?source=hero`]) {
      await using visitor = await suite.visit(framing(listed, path, { r: "Abcdefgh12" }));
      const frame = visitor.page.frameLocator("iframe");
      const form = frame.locator("form[action$='/api/v1/waitlist?r=Abcdefgh12']");
      const sent = visitor.page.waitForRequest("**/api/v1/waitlist?r=Abcdefgh12");
      await signUp(form, newAddress());
      await sent;
    }
  }
});

test("The form in a frame sends the surrounding page's referral code when the frame's `sandbox` attribute allows scripts, and sends no malformed code", async () => {
  const sandbox = "allow-scripts allow-forms";
  await using visitor = await suite.visit("about:blank");
  const { page } = visitor;
  // With the header by which a visitor gets an address here, a browser would ask before it loads a font or a script.
  await page.context().setExtraHTTPHeaders({});
  await page.goto(framing(listed, "/embed/", { sandbox, height: "448", r: "Abcdefgh12" }));
  const form = page.frameLocator("iframe").locator("form[action$='?r=Abcdefgh12']");
  const sent = page.waitForRequest("**/api/v1/waitlist?r=Abcdefgh12");
  await signUp(form, newAddress());
  await sent;
  await page.goto(framing(listed, "/embed/", { r: "no-code" }));
  await fitted(page);
  const action = await page.frameLocator("iframe").locator("form").getAttribute("action");
  assert.equal(action, "/api/v1/waitlist");
});

test("The form in a frame sends the campaign parameters of the frame's URL, and takes missing parameters from the surrounding page's URL", async () => {
  const address = framing(listed, "/embed/?source=hero&utm_source=frame", {
    r: "Abcdefgh12",
    utm_source: "page",
    utm_campaign: "Early Birds",
  });
  await using visitor = await suite.visit(address);
  const query = "?utm_source=frame&r=Abcdefgh12&utm_campaign=early-birds";
  const form = visitor.page.frameLocator("iframe").locator(`form[action$='${query}']`);
  const sent = visitor.page.waitForRequest((request) => request.url().endsWith(query));
  await signUp(form, newAddress());
  await sent;
});

test("The form in a frame sends the referral code of the frame's URL when the surrounding page's URL has another code", async () => {
  const address = framing(listed, "/embed/?r=Ijklmnop34", { r: "Abcdefgh12" });
  await using visitor = await suite.visit(address);
  await fitted(visitor.page);
  const form = visitor.page.frameLocator("iframe").locator("form");
  assert.equal(await form.getAttribute("action"), "/api/v1/waitlist?r=Ijklmnop34");
});

test("The form in a frame shows no honeypot when no style sheet is loaded", async () => {
  await using visitor = await suite.visit("/embed/", { scripts: false });
  const { page } = visitor;
  await page.route("**/*.css*", (route) => route.abort());
  await page.reload();
  const form = page.locator("form");
  const buttons = "getComputedStyle(document.querySelector('button')).borderRadius";
  assert.equal(await page.evaluate(buttons), "0px", "the style sheet is not there");
  assert(await form.locator("[name=website]").isHidden());
  assert.equal(await form.getByRole("textbox").count(), 1);
  assert(await form.getByRole("textbox").isVisible());
});

test("A browser shows the form in a frame only on sites of EMBED_ORIGINS, and shows no other page of the service in a frame", async (t) => {
  for (const [site, path] of [[stranger, "/embed/"], [listed, "/"], [listed, "/place/"]] as const) {
    await t.step(`${path} on ${site === listed ? "a listed site" : "another site"}`, async () => {
      await using visitor = await suite.visit(framing(site, path, { isolated: "no" }));
      const refusal = visitor.complaints.find((text) => text.includes("frame-ancestors"));
      assert(refusal, `${path} in a frame`);
      const forms = SOURCES.map((source) => `#sign-up-${source}`).join(", ");
      assert.equal(await visitor.page.frameLocator("iframe").locator(forms).count(), 0);
    });
  }
});

test("The form in a frame has the theme that the frame's URL names, and the colour scheme of the surrounding page when the URL names none", async (t) => {
  const DARK = "rgb(233, 236, 232)", LIGHT = "rgb(20, 41, 47)";
  for (
    const [theme, scheme, ink] of [
      ["", "light", LIGHT],
      ["", "dark", DARK],
      ["?theme=dark", "light", DARK],
      ["?theme=light", "dark", LIGHT],
    ] as const
  ) {
    await t.step(`/embed/${theme} in a ${scheme} page`, async () => {
      const address = framing(listed, `/embed/${theme}`, { scheme, height: "448" });
      await using visitor = await suite.visit(address, { colorScheme: null, scripts: false });
      const frame = visitor.page.frameLocator("iframe");
      const shown = () => frame.locator("body").evaluate("getComputedStyle(document.body).color");
      assert.equal(await shown(), ink, `${theme} in a ${scheme} page`);
      await signUp(frame.locator("form"), newAddress());
      await frame.getByRole("heading", { level: 1 }).waitFor();
      assert.equal(await shown(), ink, `thanks: ${theme} in a ${scheme} page`);
    });
  }
});

test("A script on a site of EMBED_ORIGINS signs an address up and reads the answer; a script on another site does neither", async () => {
  const before = await suite.statistics();
  const post = async (page: Page, email: string) => {
    // No script may send the header by which a visitor gets an address here.
    await page.context().setExtraHTTPHeaders({});
    return await page.evaluate(async ([url, email]) => {
      const body = JSON.stringify({ email, consent: true });
      const headers = { "Content-Type": "application/json" };
      try {
        const answer = await fetch(url!, { method: "POST", headers, body });
        return [answer.status, await answer.json(), answer.headers.get("RateLimit-Limit")];
      } catch (error) {
        return String(error);
      }
    }, [`${suite.baseUrl}/api/v1/waitlist`, email]);
  };
  await using own = await suite.visit(framing(listed, "/embed/"));
  assert.deepEqual(await post(own.page, newAddress()), [200, { accepted: true }, "30"]);
  const [status, { error }] = await post(own.page, "nobody") as [number, { error: string }];
  assert.deepEqual([status, error], [422, "invalid_email"]);
  await using other = await suite.visit(framing(stranger, "/embed/"));
  assert.match(String(await post(other.page, newAddress())), /Failed to fetch/);
  assert.deepEqual(await suite.statistics(), oneMore(before, "en"));
});
