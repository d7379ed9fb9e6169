/**
 * The files that pages load: the files of `assets/` and of the brand, and the built-in scripts. Their URLs have a
 * digest in the query, so that browsers can cache the files. @module
 */
import { createHash } from "node:crypto";
import { ownMember } from "../../shared/own_member.ts";
import { type ContentFile, type Picture, pictureSize } from "../content/mod.ts";
import { LOADABLE_BY_OTHER_SITES, prepareAnswer } from "../http/mod.ts";
import { prepareStyleSheet } from "./style_sheets.ts";

/** The path under which the assets are served. */
export const ASSETS_PATH = "/assets/";

/** The assets of the pages. */
export interface Assets {
  /** Whether there is a file of this name. */
  has: (name: string) => boolean;
  /** Returns the URL of a file, with the digest of its content. @throws an Error if there is no such file */
  url: (name: string) => string;
  /** Returns the URLs of the fonts that a style sheet names. */
  fontsOf: (name: string) => string[];
  /**
   * Finds a picture by its path without a digest. In dark mode, `plan-dark.svg` takes the place of `plan.svg`.
   * @throws an Error if `assets/` has no such picture
   */
  image: (path: string) => Picture;
  /** Answers a request for a path; `undefined` if there is no such file. */
  answer: (path: string, request: Request) => Response | undefined;
}

/** Content types by the extension of the file. */
const CONTENT_TYPES: Record<string, string> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  jpg: "image/jpeg",
  webp: "image/webp",
  woff2: "font/woff2",
  txt: "text/plain; charset=utf-8",
};

/**
 * The `Cache-Control` of a file that was requested with its digest in the URL. Caches may keep such a file for a year
 * (31536000 seconds), because the URL changes with the content.
 */
const IMMUTABLE = "public, max-age=31536000, immutable, no-transform";

const HEADERS = {
  "Vary": "Accept-Encoding",
  "X-Content-Type-Options": "nosniff",
  // A browser that opens an SVG directly shows it as a document. This document may use its own styles and nothing else.
  "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
};

/**
 * Headers that let the pages of every site load the assets, which are public. A frame with `sandbox` has an opaque
 * origin, and browsers load scripts and fonts for such an origin only if CORS allows it.
 */
const FOR_EVERY_ORIGIN = { ...LOADABLE_BY_OTHER_SITES, "Access-Control-Allow-Origin": "*" };

/**
 * Prepares the responses of all assets.
 *
 * @param forFrames whether pages of other origins may load the files
 * @throws an Error that names a file and its fault
 */
export function createAssets(files: ContentFile[], { forFrames = false } = {}): Assets {
  const headers = { ...HEADERS, ...forFrames && FOR_EVERY_ORIGIN };
  const assets = new Map<string, Asset>();
  /** For each style sheet, the URLs of the fonts that it names. */
  const fontUrls = new Map<string, string[]>();
  const addAsset = (file: ContentFile) =>
    assets.set(ASSETS_PATH + file.name, createAsset(file, headers));

  for (const file of files.filter((file) => !isStyleSheet(file))) addAsset(file);
  // Style sheets come last, because the URLs of the other files are written into them.
  for (const file of files.filter(isStyleSheet)) {
    const sheet = prepareStyleSheet(file, (name) => assets.get(ASSETS_PATH + name)?.url);
    addAsset(sheet.file);
    fontUrls.set(file.name, sheet.fontUrls);
  }

  /** Returns the asset of a path. @throws an Error if there is no such file */
  function requireAsset(path: string): Asset {
    const asset = assets.get(path);
    if (!asset) throw new Error(`there is no file ${path.slice(1)}`);
    return asset;
  }

  return {
    has: (name) => assets.has(ASSETS_PATH + name),
    fontsOf: (name) => fontUrls.get(name) ?? [],
    url: (name) => requireAsset(ASSETS_PATH + name).url,
    image(path) {
      const darkUrl = assets.get(path.replace(/(?=\.\w+$)/, "-dark"))?.url;
      if (path.startsWith(ASSETS_PATH)) return { ...requireAsset(path).image(), dark: darkUrl };
      throw new Error(
        `the image '${path}' is not in assets/; put it there, and write ${ASSETS_PATH} and its name`,
      );
    },
    answer: (path, request) => assets.get(path)?.answer(request),
  };
}

const isStyleSheet = ({ name }: ContentFile): boolean => name.endsWith(".css");

/** One file among the assets, with its prepared responses. */
interface Asset {
  /** The URL with the digest. */
  url: string;
  /** @throws an Error if the file is not a picture with a known size */
  image: () => Picture;
  answer: (request: Request) => Response;
}

function createAsset(contentFile: ContentFile, headers: Record<string, string>): Asset {
  const { name, label, bytes } = contentFile;
  const contentType = ownMember(CONTENT_TYPES, name.slice(name.lastIndexOf(".") + 1));
  if (!contentType) {
    const known = Object.keys(CONTENT_TYPES).join(", ");
    throw new Error(`${label} has an unknown type; the types are ${known}`);
  }
  const digest = createHash("sha256").update(bytes).digest("base64url").slice(0, 10);
  const url = `${ASSETS_PATH}${name}?v=${digest}`;
  // Only text and SVG are compressed, because other pictures and fonts are already compressed.
  const representation = { bytes, contentType, isCompressible: /^text|svg/.test(contentType) };
  const prepareWith = (cacheControl: string) =>
    prepareAnswer(representation, { headers: { ...headers, "Cache-Control": cacheControl } });
  const answerWithDigest = prepareWith(IMMUTABLE);
  const answerWithoutDigest = prepareWith("public, no-cache, no-transform");
  return {
    url,
    image: () => ({ src: url, ...pictureSize(contentFile) }),
    answer: (request) =>
      request.url.endsWith(url) ? answerWithDigest(request) : answerWithoutDigest(request),
  };
}
