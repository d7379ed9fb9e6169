/**
 * Reads `content/` and the overlay, renders Markdown as pages and letters, and makes HTML. `site/` makes the pages, and
 * `letters/` the letters. @module
 */
export { type Brand, type BrandPicture, hasOwnLook, inLanguage, pageFilesOf } from "./brand.ts";
export {
  type BrandColors,
  DEFAULT_COLORS,
  type Mode,
  MODES,
  printStyle,
  styleOf,
} from "./colors.ts";
export { chooseParts, type Condition } from "./conditions.ts";
export { type ConsoleTexts, readConsoleTexts } from "./console_texts.ts";
export { formatEnd } from "./dates.ts";
export { describeAttention } from "./describe_attention.ts";
export { type ContentFile, toConfigError, toFileError } from "./files.ts";
export { escapeHtml, Html, markup } from "./html.ts";
export { type ChoiceGroup, picture, select } from "./html_parts.ts";
export { type LaunchWarning, launchWarnings, PLACEHOLDER_NAME } from "./launch_warnings.ts";
export { type InlinePicture, renderLetterHtml } from "./letter_html.ts";
export { createLetterTextRenderer } from "./letter_text.ts";
export {
  type Heading,
  type Picture,
  plainMarkdown,
  renderInline,
  renderMarkdown,
} from "./markdown.ts";
export { isWordmark, pictureSize } from "./picture_size.ts";
export {
  escapeMarkdown,
  fill,
  fillHtml,
  fillMarkdown,
  type PlaceholderOptions,
  type Placeholders,
  placeholdersOf,
} from "./placeholders.ts";
export { type Content, readContent } from "./read_content.ts";
export {
  type Language,
  type ListedPage,
  type SourceLetter,
  type SourcePage,
  THANKS_PAGE,
} from "./read_language.ts";
export type { Texts } from "./texts.ts";
