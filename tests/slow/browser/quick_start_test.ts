import assert from "node:assert/strict";
import { outputOf } from "../../support/process.ts";
import { test, useSuite } from "./support.ts";

const suite = useSuite();

/** The commands below a heading of the developers page, as its Markdown twin has them. */
async function commands(heading: string): Promise<string[]> {
  const response = await fetch(`${suite.baseUrl}/developers/`, {
    headers: { Accept: "text/markdown" },
  });
  const text = await response.text();
  const [, section] = text.split(`\n### ${heading}\n`);
  assert(section, heading);
  return [...section.split(/\n##+ /)[0]!.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, code]) =>
    code!
  );
}

test("The button of the quick start copies the code as it is shown", async () => {
  await using visitor = await suite.visit("/developers/");
  const { page } = visitor;
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const code = page.locator(".code").nth(1);
  await code.getByRole("button", { name: "Copy" }).click();
  await code.getByRole("button", { name: "Copied" }).waitFor();
  const [first] = await commands("With curl");
  assert.equal(await page.evaluate("navigator.clipboard.readText()"), first!.trimEnd());
  assert.deepEqual(visitor.complaints, []);
});

test("The button of the quick start does not cover the code on a tablet", async (t) => {
  for (const path of ["/developers/", "/de/entwickler/"]) {
    await t.step(path, async () => {
      await using visitor = await suite.visit(path, { width: 768 });
      for (const code of await visitor.page.locator(".code").all()) {
        const lines = await code.locator("code").evaluate((text) => {
          const range = text.ownerDocument.createRange();
          range.selectNodeContents(text);
          return Array.from(range.getClientRects(), ({ right, top }) => ({ right, top }));
        });
        const button = await code.locator(".copy").evaluate((each) => {
          const { left, bottom } = each.getBoundingClientRect();
          return { left, bottom };
        });
        const covered = lines.filter(({ right, top }) =>
          top < button.bottom && right > button.left
        );
        assert.deepEqual(covered, [], `${path}: ${await code.locator("code").textContent()}`);
      }
    });
  }
});

test("The curl commands of the quick start work when they are pasted into a shell", async () => {
  const outputs: unknown[] = [];
  for (const command of await commands("With curl")) {
    outputs.push(JSON.parse(await outputOf(["sh", "-c", command])));
  }
  const [stats, joined, ...others] = outputs as [{ total: number; environment: string }, unknown];
  assert.equal(stats.environment, "sandbox");
  assert.equal(stats.total, 1280);
  assert.deepEqual(joined, { accepted: true });
  assert.deepEqual(others, []);
});
