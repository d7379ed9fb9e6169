import assert from "node:assert/strict";
import { Html, markup } from "../../../server/content/html.ts";

Deno.test("markup() escapes every value except Html", () => {
  const evil = `<img src=x onerror="alert('1')"> & more`;
  assert.equal(
    markup`<p title="${evil}">${evil}</p>`.text,
    '<p title="&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt; &amp; more">' +
      "&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt; &amp; more</p>",
  );
  assert.equal(markup`<p>${new Html("<b>bold</b>")}</p>`.text, "<p><b>bold</b></p>");
});

Deno.test("markup() writes nothing for an absent value, and one line for each item of a list", () => {
  const items = [1, 2].map((number) => markup`<li>${number}</li>`);
  assert.equal(
    markup`<ul>${items}</ul>${false}${undefined}`.text,
    "<ul><li>1</li>\n<li>2</li></ul>",
  );
});
