/**
 * The files of `content/assets/`: style sheet, scripts, images, fonts. The address of a file contains a digest of
 * its content, so that browsers can cache the file for a year. The address without digest works too;
 * browsers then revalidate the file each time.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { ContentFile } from "../content/mod.ts";
import { prepareAnswer, represent } from "../http/mod.ts";

/** The path of the assets. */
export const ASSETS_PATH = "/assets/";

/** The assets of a site. */
export interface Assets {
  has: (name: string) => boolean;
  /** Returns an asset's address with its digest. @throws an Error if there is no such asset. */
  address: (name: string) => string;
  /** The addresses of the fonts that the style sheets use. */
  fonts: string[];
  /** Returns an image's address with its digest, and its size in CSS pixels. */
  image: (address: string) => { src: string; width: number; height: number };
  /** Answers a GET or HEAD; returns `undefined` if there is no asset at the path. */
  answer: (path: string, request: Request) => Response | undefined;
}

/** The media types by file extension, and whether compression makes such files smaller. */
const TYPES: Record<string, { contentType: string; compress: boolean }> = {
  css: { contentType: "text/css; charset=utf-8", compress: true },
  js: { contentType: "text/javascript; charset=utf-8", compress: true },
  svg: { contentType: "image/svg+xml", compress: true },
  png: { contentType: "image/png", compress: false },
  jpg: { contentType: "image/jpeg", compress: false },
  webp: { contentType: "image/webp", compress: false },
  woff2: { contentType: "font/woff2", compress: false },
  txt: { contentType: "text/plain; charset=utf-8", compress: true },
};

/** A year, in seconds: the longest time for which caches keep a file. */
const IMMUTABLE = "public, max-age=31536000, immutable, no-transform";

const HEADERS = {
  "Vary": "Accept-Encoding",
  "X-Content-Type-Options": "nosniff",
  // An SVG that a browser opens directly is a document. It may use its own styles and nothing else.
  "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
};

/** An address of another host in a style sheet. */
const ELSEWHERE = /(?:url\(\s*["']?|@import\s+["'])((?:https?:)?\/\/[^"')\s]*)/i;

interface Asset {
  /** The path of the file, for messages. */
  file: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** The address with the digest. */
  address: string;
  /** Answers a request to the address with the digest. */
  answerWithDigest: (request: Request) => Response;
  /** Answers a request to any other address of the file. */
  answer: (request: Request) => Response;
}

/** Prepares the responses of all assets. @throws an Error that names a file of an unknown type. */
export function createAssets(files: ContentFile[]): Assets {
  const assets = new Map<string, Asset>();
  const fonts = new Set<string>();
  // Style sheets come last, as they contain the addresses of other files.
  for (const file of files.toSorted((a, b) => Number(isStyleSheet(a)) - Number(isStyleSheet(b)))) {
    const asset = createAsset(isStyleSheet(file) ? withAddresses(file) : file);
    assets.set(ASSETS_PATH + file.name, asset);
  }

  function find(path: string): Asset {
    const asset = assets.get(path);
    if (!asset) throw new Error(`there is no file ${path.slice(1)}`);
    return asset;
  }

  /** Puts the addresses with digests into a style sheet, which names files of its folder as `url("name")`. */
  function withAddresses(file: ContentFile): ContentFile {
    const written = new TextDecoder().decode(file.bytes);
    const [, elsewhere] = ELSEWHERE.exec(written.replaceAll(/\/\*[^]*?\*\//g, "")) ?? [];
    if (elsewhere !== undefined) {
      throw new Error(
        `${file.file}: '${elsewhere}' is on another host, from which the pages load nothing; ` +
          "put the file into assets/, and write its name",
      );
    }
    const text = written.replace(
      /url\((["']?)([\w.-]+)\1\)/g,
      (_, _quote, name: string) => {
        const found = assets.get(ASSETS_PATH + name);
        if (!found) throw new Error(`${file.file}: there is no file '${name}' beside it`);
        const { address } = found;
        if (name.endsWith(".woff2")) fonts.add(address);
        return `url("${address}")`;
      },
    );
    return { ...file, bytes: new TextEncoder().encode(text) };
  }

  return {
    has: (name) => assets.has(ASSETS_PATH + name),
    fonts: [...fonts],
    address: (name) => find(ASSETS_PATH + name).address,
    image(path) {
      if (!path.startsWith(ASSETS_PATH)) {
        throw new Error(
          `the image '${path}' is not in assets/; put it there, and write ${ASSETS_PATH} and its name`,
        );
      }
      const { file, bytes, address } = find(path);
      return { src: address, ...sizeOf(file, bytes) };
    },
    answer(path, request) {
      const asset = assets.get(path);
      if (!asset) return undefined;
      const hasDigest = request.url.endsWith(asset.address);
      return hasDigest ? asset.answerWithDigest(request) : asset.answer(request);
    },
  };
}

function isStyleSheet({ name }: ContentFile): boolean {
  return name.endsWith(".css");
}

function createAsset({ name, file, bytes }: ContentFile): Asset {
  const extension = name.slice(name.lastIndexOf(".") + 1);
  const type = TYPES[extension];
  if (!type) {
    const known = Object.keys(TYPES).join(", ");
    throw new Error(`${file} has an unknown type; the types are ${known}`);
  }
  const version = createHash("sha256").update(bytes).digest("base64url").slice(0, 10);
  const representation = represent(bytes, type.contentType, type);
  const answerCached = (cacheControl: string) =>
    prepareAnswer(representation, { headers: { ...HEADERS, "Cache-Control": cacheControl } });
  return {
    file,
    bytes,
    address: `${ASSETS_PATH}${name}?v=${version}`,
    answerWithDigest: answerCached(IMMUTABLE),
    answer: answerCached("public, no-cache, no-transform"),
  };
}

/** The first four bytes of a PNG. */
const PNG_MARK = 0x89504e47;

/** Reads the size of a PNG from its header, or of an SVG from its `width` and `height`, or from its `viewBox`. */
function sizeOf(file: string, bytes: Uint8Array<ArrayBuffer>): { width: number; height: number } {
  if (file.endsWith(".png")) {
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    if (view.byteLength < 24 || view.getUint32(0) !== PNG_MARK) {
      throw new Error(
        `${file} is no PNG; give its name the ending of what it is, or save it as a PNG`,
      );
    }
    return { width: view.getUint32(16), height: view.getUint32(20) };
  }
  const tag = file.endsWith(".svg")
    ? /<svg[^>]*>/.exec(new TextDecoder().decode(bytes))?.[0] ?? ""
    : "";
  const box = /\sviewBox=["']\s*[-\d.]+[\s,]+[-\d.]+[\s,]+([\d.]+)[\s,]+([\d.]+)/.exec(tag);
  const [width, height] = ["width", "height"].map((name, index) => {
    const [, given = box?.[index + 1]] =
      new RegExp(`\\s${name}=["']([\\d.]+)(?:px)?["']`).exec(tag) ?? [];
    return Math.round(Number(given));
  });
  if (!width || !height) {
    throw new Error(
      `${file} has no size; use a PNG, or an SVG with width and height, or a viewBox`,
    );
  }
  return { width, height };
}
