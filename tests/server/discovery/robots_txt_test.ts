import assert from "node:assert/strict";
import { robotsTxt } from "../../../server/discovery/robots_txt.ts";

Deno.test("robotsTxt() lets everything be read and names the sitemap when it is made", () => {
  assert.equal(
    robotsTxt("https://waitlist.test"),
    "User-agent: *\nAllow: /\n\nSitemap: https://waitlist.test/sitemap.xml\n",
  );
});
