/** The files of `content/assets/`. Browsers cache those whose address has a digest, and revalidate others. @module */
import { ownMember } from "../../shared/own_member.ts";
import { createHash } from "node:crypto";
import type { ContentFile, Picture } from "../content/mod.ts";
import { FOR_OTHER_SITES, prepareAnswer } from "../http/mod.ts";

export const ASSETS_PATH = "/assets/";

export type Assets = ReturnType<typeof createAssets>;

const TYPES: Record<string, string> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  jpg: "image/jpeg",
  webp: "image/webp",
  woff2: "font/woff2",
  txt: "text/plain; charset=utf-8",
};

/** A year, in seconds: the longest time for which caches keep a file. */
const IMMUTABLE = "public, max-age=31536000, immutable, no-transform";

const HEADERS = {
  "Vary": "Accept-Encoding",
  "X-Content-Type-Options": "nosniff",
  // An SVG that a browser opens directly is a document. It may use its own styles and nothing else.
  "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
};

/** A comment in a style sheet, but none with a licence, which begins with `!`; or a string, which stays as it is. */
const COMMENT = /("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|\/\*(?!!)[^]*?\*\//g;

/** An address of another host in a style sheet. */
const ELSEWHERE = /(?:url\(\s*["']?|@import\s+["'])((?:https?:)?\/\/[^"')\s]*)/i;

/**
 * Let every page load the files, also one with an opaque origin (a frame with `sandbox`), from which scripts and fonts
 * are asked for by CORS. They are public, and the same for everybody.
 */
const EVERYWHERE = { ...FOR_OTHER_SITES, "Access-Control-Allow-Origin": "*" };

/**
 * Prepares the responses of all assets.
 *
 * @param forFrames whether pages of other origins may load them
 * @throws an Error that names a file of an unknown type
 */
export function createAssets(files: ContentFile[], { forFrames = false } = {}) {
  const headers = { ...HEADERS, ...forFrames && EVERYWHERE };
  const assets = new Map<string, ReturnType<typeof createAsset>>();
  const fonts = new Map<string, Set<string>>();
  // Style sheets come last, as they contain the addresses of other files.
  for (const file of files.toSorted((a, b) => Number(isStyleSheet(a)) - Number(isStyleSheet(b)))) {
    const asset = createAsset(isStyleSheet(file) ? withAddresses(file) : file, headers);
    assets.set(ASSETS_PATH + file.name, asset);
  }

  function find(path: string) {
    const asset = assets.get(path);
    if (!asset) throw new Error(`there is no file ${path.slice(1)}`);
    return asset;
  }

  /** Puts the addresses with digests into a style sheet, which names files of its folder as `url("name")`. */
  function withAddresses(sheet: ContentFile): ContentFile {
    const { name: sheetName, file, bytes } = sheet;
    const written = new TextDecoder().decode(bytes).replaceAll(COMMENT, (_, text) => text ?? " ");
    const [, elsewhere] = ELSEWHERE.exec(written) ?? [];
    if (elsewhere !== undefined) {
      throw new Error(
        `${file}: '${elsewhere}' is on another host, from which the pages load nothing; ` +
          "put the file into assets/, and write its name",
      );
    }
    const text = written.replace(
      /url\((["']?)((?:brand\/)?[\w.-]+)\1\)/g,
      (_, _quote, name: string) => {
        const found = assets.get(ASSETS_PATH + name);
        if (!found) throw new Error(`${file}: there is no file '${name}' beside it`);
        if (name.endsWith(".woff2")) {
          fonts.set(sheetName, (fonts.get(sheetName) ?? new Set()).add(found.address));
        }
        return `url("${found.address}")`;
      },
    );
    return { ...sheet, bytes: new TextEncoder().encode(text) };
  }

  return {
    has: (name: string) => assets.has(ASSETS_PATH + name),
    fontsOf: (name: string) => [...fonts.get(name) ?? []],
    /** Returns an asset's address with its digest. @throws an Error if there is no such asset */
    address: (name: string) => find(ASSETS_PATH + name).address,
    /** Finds an image by its address without a digest; the dark form of `plan.svg` is `plan-dark.svg`. */
    image(path: string): Picture {
      const dark = assets.get(path.replace(/(?=\.\w+$)/, "-dark"))?.address;
      if (path.startsWith(ASSETS_PATH)) return { ...find(path).image(), dark };
      throw new Error(
        `the image '${path}' is not in assets/; put it there, and write ${ASSETS_PATH} and its name`,
      );
    },
    answer: (path: string, request: Request) => assets.get(path)?.answer(request),
  };
}

const isStyleSheet = ({ name }: ContentFile): boolean => name.endsWith(".css");

function createAsset(asset: ContentFile, headers: Record<string, string>) {
  const { name, file, bytes } = asset;
  const contentType = ownMember(TYPES, name.slice(name.lastIndexOf(".") + 1));
  if (!contentType) {
    const known = Object.keys(TYPES).join(", ");
    throw new Error(`${file} has an unknown type; the types are ${known}`);
  }
  const version = createHash("sha256").update(bytes).digest("base64url").slice(0, 10);
  const address = `${ASSETS_PATH}${name}?v=${version}`;
  // Pictures and fonts are compressed already.
  const representation = { bytes, contentType, compress: /^text|svg/.test(contentType) };
  const answerCached = (cacheControl: string) =>
    prepareAnswer(representation, { headers: { ...headers, "Cache-Control": cacheControl } });
  const answerWithDigest = answerCached(IMMUTABLE);
  const answer = answerCached("public, no-cache, no-transform");
  return {
    address,
    image: (): Picture => ({ src: address, ...sizeOf(asset) }),
    answer: (request: Request) =>
      request.url.endsWith(address) ? answerWithDigest(request) : answer(request),
  };
}

/** The first four bytes of a PNG. */
const PNG_MARK = 0x89504e47;

/** Reads the size of a PNG from its header, or of an SVG from its `width` and `height`, or from its `viewBox`. */
function sizeOf({ file, bytes }: ContentFile): Omit<Picture, "src"> {
  if (file.endsWith(".png")) {
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    if (view.byteLength < 24 || view.getUint32(0) !== PNG_MARK) {
      throw new Error(
        `${file} is no PNG; give its name the ending of what it is, or save it as a PNG`,
      );
    }
    return { width: view.getUint32(16), height: view.getUint32(20) };
  }
  const text = file.endsWith(".svg") ? new TextDecoder().decode(bytes) : "";
  const [tag = ""] = /<svg[^>]*>/.exec(text) ?? [];
  const box = /\sviewBox=["']\s*[-\d.]+[\s,]+[-\d.]+[\s,]+([\d.]+)[\s,]+([\d.]+)/.exec(tag);
  const [width, height] = ["width", "height"].map((name, index) => {
    const given = new RegExp(`\\s${name}=["']([\\d.]+)(?:px)?["']`).exec(tag)?.[1];
    return Math.round(Number(given ?? box?.[index + 1]));
  });
  if (width && height) return { width, height };
  throw new Error(`${file} has no size; use a PNG, or an SVG with width and height, or a viewBox`);
}
