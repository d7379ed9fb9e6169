import assert from "node:assert/strict";
import { ConfigError } from "../../../server/config/mod.ts";
import { readContent } from "../../../server/content/mod.ts";
import { CONTENT_FOLDER } from "../../../server/site/mod.ts";
import { createRenderer, type RendererOptions } from "../../../server/site/render.ts";
import { SITE_OPTIONS } from "../../support/content.ts";

Deno.test("createRenderer() turns the fault of a page into a configuration error, and rethrows all other errors", async () => {
  const { languages } = await readContent(CONTENT_FOLDER);
  const options = {
    ...SITE_OPTIONS,
    siteName: "Acme",
    brand: { colors: {} },
    languages,
    assets: {},
  };
  // The cast is needed because the options lack the function that finds pictures: a page with a picture then shows a bug.
  const render = createRenderer(options as unknown as RendererOptions);
  const [language] = languages;
  const page = { ...language!.home, body: "![](/assets/dawn.svg)" };
  assert.throws(() => render(page, language!), TypeError);
  assert.throws(() => render({ ...page, body: "{{no-marker}}" }, language!), (error: Error) => {
    return error instanceof ConfigError && error.message.startsWith("content/en/index.md: ");
  });
});
