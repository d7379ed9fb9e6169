import assert from "node:assert/strict";
import { renderMailHtml } from "../../../server/content/mail_html.ts";

const html = renderMailHtml({
  lang: "de",
  title: "Grüße <an> {{site_name}}",
  markdown: "Hallo,\n\n[Knopf]({{url}})\n\nMehr [dort]({{url}}).\n\n---\n\nEnde\n\n<!-- note -->\n",
});

Deno.test("renderMailHtml() names the language and the title when it makes a document", () => {
  assert.match(html, /^<!DOCTYPE html>\n<html lang="de">/);
  assert.match(html, /<title>Grüße &lt;an&gt; {{site_name}}<\/title>/);
});

Deno.test("renderMailHtml() makes a button of a link when it stands alone", () => {
  assert.match(html, /<p><a style="[^"]+" href="%7B%7Burl%7D%7D">Knopf<\/a><\/p>/);
  assert.match(html, /<p>Mehr <a href="%7B%7Burl%7D%7D">dort<\/a>\.<\/p>/);
});

Deno.test("renderMailHtml() loads nothing and sets no colours when it styles a letter", () => {
  assert.doesNotMatch(html, /<(?:img|link|script|style|iframe)\b|\bsrc=|url\(|@import|note/);
  assert.doesNotMatch(html, /(?:color|background):/);
  assert.match(html, /<meta name="color-scheme" content="light dark">/);
});
