/** Makes all colours of the pages, as `#rrggbb`, from a company's three, and measures their contrast. @module */

export interface BrandColors {
  /** Links, and the ground of buttons. */
  accent: string;
  /** Text. */
  ink: string;
  /** The ground of the pages. */
  paper: string;
}

/** The settings of visitors' systems. */
export const MODES = ["light", "dark"] as const;
export type Mode = typeof MODES[number];

/** The colours of `assets/site.css`, which take the place of those that a brand leaves out. */
export const DEFAULT_COLORS: Readonly<Record<Mode, BrandColors>> = {
  light: { accent: "#14545c", ink: "#14292f", paper: "#faf8f3" },
  dark: { accent: "#8fd0cd", ink: "#e9ece8", paper: "#10191c" },
};

/** The least contrast of text (WCAG 2.2, 1.4.3), and of the edge of a field (1.4.11). */
const TEXT = 4.5, EDGE = 3;

/** The colours of errors, of good news and of warnings, on light paper and on dark. */
const SIGNALS = {
  light: { bad: "#a4321f", good: "#1d6b45", warning: "#a85612" },
  dark: { bad: "#ff9d88", good: "#8ad6ae", warning: "#eda35f" },
};

const WHITE = "#ffffff", BLACK = "#000000";

/** The contrast of two colours, from 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrastOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** Names the pairs that are too close to be read, a sentence for each. */
export function contrastFaults({ accent, ink, paper }: BrandColors): string[] {
  const further = isDark(paper) ? "lighter" : "darker";
  return Object.entries({ ink, accent }).flatMap(([name, color]) => {
    const contrast = contrastOf(color, paper);
    if (contrast >= TEXT) return [];
    const uses = name === "ink"
      ? "text needs"
      : "links, and buttons with text of paper on accent, need";
    // Rounded down, so that no fault says 4.5.
    const shown = Math.floor(contrast * 100) / 100;
    return [
      `${name} ${color} on paper ${paper} has a contrast of ${shown}:1, and ${uses} ${TEXT}:1 ` +
      `(WCAG 2.2); give a ${further} ${name}`,
    ];
  });
}

/** Makes the variables of the style sheets from colours of enough contrast, which texts keep on all their grounds. */
export function paletteOf({ accent, ink, paper }: BrandColors): Record<string, string> {
  const dark = isDark(paper);
  const readable = (ground: string) =>
    [ink, accent].every((text) => contrastOf(text, ground) >= TEXT);
  const raised = mixWhile(readable, { from: paper, to: WHITE, share: dark ? 0.06 : 0.6 });
  const sunken = mixWhile(readable, {
    from: paper,
    to: dark ? BLACK : ink,
    share: dark ? 0.3 : 0.06,
  });
  const grounds = [paper, raised, sunken];
  const on = (least: number) => (color: string) =>
    grounds.every((ground) => contrastOf(color, ground) >= least);
  const signals = Object.entries(SIGNALS[dark ? "dark" : "light"])
    .map(([name, to]) => [name, mixWhile(on(TEXT), { from: ink, to, share: 1 })]);
  return {
    paper,
    raised,
    sunken,
    ink,
    soft: mixWhile(on(TEXT), { from: ink, to: paper, share: 0.35 }),
    line: mix(paper, ink, 0.15),
    edge: mixWhile(on(EDGE), { from: ink, to: paper, share: 0.55 }),
    accent,
    "accent-strong": mixWhile(on(TEXT), { from: accent, to: ink, share: 0.35 }),
    // Paper has the contrast of a link on buttons, too.
    "on-accent": paper,
    sun: accent,
    ...Object.fromEntries(signals),
  };
}

/** Writes the rules for the modes whose colours are given; paper is printed without them. */
export function styleOf(colors: Partial<Record<Mode, BrandColors>>): string {
  const rules = MODES.map((mode) =>
    colors[mode] && rulesOf(colors[mode], `screen and (prefers-color-scheme: ${mode})`)
  );
  return rules.filter(Boolean).join("\n");
}

/** Writes the rules for paper: black on white, with the colours of errors, good news and warnings. */
export const printStyle = (): string =>
  rulesOf({ accent: BLACK, ink: BLACK, paper: WHITE }, "print");

function rulesOf(colors: BrandColors, media: string): string {
  const variables = Object.entries(paletteOf(colors)).map(([name, value]) =>
    `    --${name}: ${value};\n`
  ).join("");
  const scheme = isDark(colors.paper) ? "dark" : "light";
  return `@media ${media} {\n  :root {\n    color-scheme: ${scheme};\n${variables}  }\n}\n`;
}

/** Mixes as much of a colour in as a condition allows, up to a share; nothing of it where it never holds. */
function mixWhile(
  holds: (color: string) => boolean,
  { from, to, share }: { from: string; to: string; share: number },
): string {
  const shares = Array.from({ length: 20 }, (_, step) => share * (20 - step) / 20);
  return shares.map((less) => mix(from, to, less)).find(holds) ?? from;
}

function mix(from: string, to: string, share: number): string {
  const target = channelsOf(to);
  const mixed = channelsOf(from).map((channel, index) =>
    Math.round(channel + ((target[index] ?? 0) - channel) * share)
  );
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}

const isDark = (color: string): boolean => contrastOf(color, WHITE) > contrastOf(color, BLACK);

/** The relative luminance (WCAG 2.2). */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const channelsOf = (color: string): number[] =>
  [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
