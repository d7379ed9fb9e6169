/** Reads `content/` and the overlay (the folder that `CONTENT_PATH` names), and renders Markdown. @module */
export { type Brand, type BrandPicture, hasOwnLook, inLanguage, pageFilesOf } from "./brand.ts";
export {
  type BrandColors,
  DEFAULT_COLORS,
  type Mode,
  MODES,
  printStyle,
  styleOf,
} from "./colors.ts";
export { formatEnd } from "./dates.ts";
export { describeAttention } from "./describe_attention.ts";
export { type ContentFile, toConfigError, toFileError } from "./files.ts";
export { escapeHtml, Html, markup } from "./html.ts";
export { picture, select } from "./html_parts.ts";
export { type LaunchWarning, launchWarnings, PLACEHOLDER_NAME } from "./launch_warnings.ts";
export { type MailPicture, renderMailHtml, textRenderer } from "./mail.ts";
export {
  type Heading,
  type Picture,
  plainMarkdown,
  renderInline,
  renderMarkdown,
} from "./markdown.ts";
export { isWordmark, pictureSize } from "./picture_size.ts";
export {
  chooseParts,
  type Condition,
  escapeMarkdown,
  fill,
  fillHtml,
  fillMarkdown,
  type PlaceholderOptions,
  type Placeholders,
  placeholdersOf,
} from "./placeholders.ts";
export {
  type Content,
  type Language,
  type ListedPage,
  readContent,
  type SourcePage,
  THANKS_PAGE,
} from "./read_content.ts";
export { type ConsoleTexts, readConsoleTexts, type Texts } from "./texts.ts";
