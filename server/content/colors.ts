/** Derives all colours of the pages from the three colours of a brand, and measures their contrast. @module */

/** The three colours of a brand, as `#rrggbb`. All other colours are derived from them. */
export interface BrandColors {
  /** The colour of links, and the background of buttons. */
  accent: string;
  /** The colour of text. */
  ink: string;
  /** The background of the pages. */
  paper: string;
}

/** The colour schemes that a visitor's system can ask for. */
export const MODES = ["light", "dark"] as const;
/** Light or dark mode. */
export type Mode = typeof MODES[number];

/** The built-in colours, which `assets/site.css` has as well. They replace the colours that a brand leaves out. */
export const DEFAULT_COLORS: Readonly<Record<Mode, BrandColors>> = {
  light: { accent: "#14545c", ink: "#14292f", paper: "#faf8f3" },
  dark: { accent: "#8fd0cd", ink: "#e9ece8", paper: "#10191c" },
};

/** The least contrast of text with its background (WCAG 2.2, 1.4.3). */
const TEXT_CONTRAST = 4.5;

/** The least contrast of the border of a field with its background (WCAG 2.2, 1.4.11). */
const EDGE_CONTRAST = 3;

/** The colours of errors, success and warnings on a light and on a dark background. */
const SIGNAL_COLORS = {
  light: { bad: "#a4321f", good: "#1d6b45", warning: "#a85612" },
  dark: { bad: "#ff9d88", good: "#8ad6ae", warning: "#eda35f" },
};

const WHITE = "#ffffff";
const BLACK = "#000000";

/** Returns the contrast ratio of two colours, from 1 to 21 (WCAG 2.2). */
export function contrastOf(color: string, otherColor: string): number {
  const luminances = [luminanceOf(color), luminanceOf(otherColor)];
  return (Math.max(...luminances) + 0.05) / (Math.min(...luminances) + 0.05);
}

/** Returns a sentence for each pair of colours whose contrast is too low for text. */
export function contrastFaults({ accent, ink, paper }: BrandColors): string[] {
  const betterShade = isDark(paper) ? "lighter" : "darker";
  return Object.entries({ ink, accent }).flatMap(([name, color]) => {
    const contrast = contrastOf(color, paper);
    if (contrast >= TEXT_CONTRAST) return [];
    const requirement = name === "ink"
      ? "text needs"
      : "links, and buttons with text of paper on accent, need";
    // The contrast is rounded down, because a contrast of 4.499 would otherwise be shown as 4.5, which is enough.
    const shownContrast = Math.floor(contrast * 100) / 100;
    return [
      `${name} ${color} on paper ${paper} has a contrast of ${shownContrast}:1, and ${requirement} ${TEXT_CONTRAST}:1 ` +
      `(WCAG 2.2); give a ${betterShade} ${name}`,
    ];
  });
}

/**
 * Derives the variables of the style sheets, by name. All text has enough contrast on all backgrounds.
 *
 * @param colors colours for which {@linkcode contrastFaults} finds no fault
 */
export function paletteOf({ accent, ink, paper }: BrandColors): Record<string, string> {
  const isDarkMode = isDark(paper);
  const isReadableOn = (background: string) =>
    [ink, accent].every((text) => contrastOf(text, background) >= TEXT_CONTRAST);
  const raised = mixAtMost(isReadableOn, {
    from: paper,
    to: WHITE,
    share: isDarkMode ? 0.06 : 0.6,
  });
  const sunken = mixAtMost(isReadableOn, {
    from: paper,
    to: isDarkMode ? BLACK : ink,
    share: isDarkMode ? 0.3 : 0.06,
  });
  const backgrounds = [paper, raised, sunken];
  const hasContrast = (minContrast: number) => (color: string) =>
    backgrounds.every((background) => contrastOf(color, background) >= minContrast);
  const isReadable = hasContrast(TEXT_CONTRAST);
  const signals = Object.entries(SIGNAL_COLORS[isDarkMode ? "dark" : "light"])
    .map(([name, to]) => [name, mixAtMost(isReadable, { from: ink, to, share: 1 })]);
  return {
    paper,
    raised,
    sunken,
    ink,
    soft: mixAtMost(isReadable, { from: ink, to: paper, share: 0.35 }),
    line: mix(paper, ink, 0.15),
    edge: mixAtMost(hasContrast(EDGE_CONTRAST), { from: ink, to: paper, share: 0.55 }),
    accent,
    "accent-strong": mixAtMost(isReadable, { from: accent, to: ink, share: 0.35 }),
    // Text on a button has the colour of the paper, so it has the same contrast as a link on paper.
    "on-accent": paper,
    sun: accent,
    ...Object.fromEntries(signals),
  };
}

/** Makes the style rules for screens, for each given mode. */
export function styleOf(colors: Partial<Record<Mode, BrandColors>>): string {
  const rules = MODES.map((mode) =>
    colors[mode] && rulesOf(colors[mode], `screen and (prefers-color-scheme: ${mode})`)
  );
  return rules.filter(Boolean).join("\n");
}

/** Makes the style rules for print: black text on white; errors, success and warnings in the colours of light mode. */
export const printStyle = (): string =>
  rulesOf({ accent: BLACK, ink: BLACK, paper: WHITE }, "print");

function rulesOf(colors: BrandColors, media: string): string {
  const variables = Object.entries(paletteOf(colors)).map(([name, value]) =>
    `    --${name}: ${value};\n`
  ).join("");
  const scheme = isDark(colors.paper) ? "dark" : "light";
  return `@media ${media} {\n  :root {\n    color-scheme: ${scheme};\n${variables}  }\n}\n`;
}

/** How many shares `mixAtMost` tries. */
const MIX_STEPS = 20;

/**
 * Mixes the colour `from` with the given share of the colour `to`. If the mixed colour is not allowed, smaller shares
 * are tried. Returns the first allowed colour, or `from` if no mixed colour is allowed.
 */
function mixAtMost(
  isAllowed: (color: string) => boolean,
  { from, to, share }: { from: string; to: string; share: number },
): string {
  const shares = Array.from(
    { length: MIX_STEPS },
    (_, step) => share * (MIX_STEPS - step) / MIX_STEPS,
  );
  return shares.map((smallerShare) => mix(from, to, smallerShare)).find(isAllowed) ?? from;
}

/** Mixes two colours. @param share the share of the colour `to`, from 0 to 1 */
function mix(from: string, to: string, share: number): string {
  const target = channelsOf(to);
  const mixed = channelsOf(from).map((channel, index) =>
    Math.round(channel + ((target[index] ?? 0) - channel) * share)
  );
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}

const isDark = (color: string): boolean => contrastOf(color, WHITE) > contrastOf(color, BLACK);

/** Returns the relative luminance of a colour, from 0 to 1 (WCAG 2.2). */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns red, green and blue, from 0 to 255. */
const channelsOf = (color: string): number[] =>
  [1, 3, 5].map((start) => parseInt(color.slice(start, start + 2), 16));
