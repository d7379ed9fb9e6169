/**
 * Makes the picture of link previews from the home page of a running service: its name, its first words and its
 * picture, in its colours and its font.
 *
 * ```sh
 * deno task picture http://localhost:8000 ~/waitlist-content/assets/social.png
 * ``` @module
 */
import { dirname } from "node:path";
import { chromium } from "playwright-core";

/** The size of the picture in pixels, which pages name, and how many of them a CSS pixel has. */
const [WIDTH, HEIGHT, SCALE] = [1200, 630, 1.25];

/** Leaves only what a preview can show, in the middle. */
const STYLE = `
  .skip, .site-header nav, .hero .sign-up, .hero blockquote,
  .hero ~ section, .site-footer { display: none !important }
  .site-header, main { padding-inline: 3.5rem }
  .site-header { padding-block: 2.5rem 0 }
  .brand { font-size: 1.375rem }
  main { display: grid; align-items: center }
  .hero .inside { align-items: center }
`;

/**
 * Takes the picture of a home page.
 * @param home the address of the page
 * @returns a PNG
 */
export async function takeSocialPicture(home: string): Promise<Uint8Array> {
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
  });
  try {
    const page = await browser.newPage({
      viewport: { width: WIDTH / SCALE, height: HEIGHT / SCALE },
      deviceScaleFactor: SCALE,
      colorScheme: "light",
      // The page's policy would refuse the style below.
      bypassCSP: true,
    });
    const response = await page.goto(home, { waitUntil: "networkidle" });
    if (response?.status() !== 200) {
      throw new Error(`${home} answered ${response?.status()}; give the address of a home page`);
    }
    await page.addStyleTag({ content: STYLE });
    return await page.screenshot();
  } finally {
    await browser.close();
  }
}

if (import.meta.main) {
  const [home, file, ...others] = Deno.args;
  if (!home || !file || others.length > 0) {
    console.error(
      "Give the address of a running service and the file to write, such as " +
        "http://localhost:8000/ ~/waitlist-content/assets/social.png.",
    );
    Deno.exit(2);
  }
  const picture = await takeSocialPicture(home);
  await Deno.mkdir(dirname(file), { recursive: true });
  await Deno.writeFile(file, picture);
  console.log(`Wrote ${file}.`);
}
