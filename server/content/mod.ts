/**
 * The content of the pages and letters: reads `content/` and the folder that lies over it, and renders Markdown.
 *
 * @module
 */
export type { Brand, BrandPicture } from "./brand.ts";
export { DEFAULT_COLORS, type Mode, MODES, printStyle, styleOf } from "./colors.ts";
export { chooseParts, type Condition } from "./placeholders.ts";
export { Html, markup } from "./html.ts";
export { type LaunchWarning, launchWarnings, PLACEHOLDER_NAME } from "./launch_warnings.ts";
export type { SourceLetter } from "./letters.ts";
export { renderMailHtml } from "./mail_html.ts";
export { type Heading, plainMarkdown, renderInline, renderMarkdown } from "./markdown.ts";
export { HOME, NOT_FOUND, REFUSED, THANKS } from "./paths.ts";
export * from "./placeholders.ts";
export { textRenderer } from "./text.ts";
export type { Texts } from "./texts.ts";
export * from "./read_content.ts";
