/**
 * The files of `content/assets/`: style sheet, scripts, images. The address of a file contains a digest of
 * its content, so that browsers can cache the file for a year. The address without digest works too;
 * browsers then revalidate the file each time.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { AssetFile } from "../content/mod.ts";
import { prepareAnswer, represent } from "../http/representation.ts";

/** The path of the assets. */
export const ASSETS_PATH = "/assets/";

/** The assets of a site. */
export interface Assets {
  /** Returns an asset's address with its digest. @throws an Error if there is no such asset. */
  address: (name: string) => string;
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
};

/** A year, in seconds: the longest time for which caches keep a file. */
const IMMUTABLE = "public, max-age=31536000, immutable, no-transform";

const HEADERS = {
  "Vary": "Accept-Encoding",
  "X-Content-Type-Options": "nosniff",
  // An SVG that a browser opens directly is a document. It may use its own styles and nothing else.
  "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
};

interface Asset {
  bytes: Uint8Array<ArrayBuffer>;
  /** The address with the digest. */
  address: string;
  /** Answers a request to the address with the digest. */
  answerWithDigest: (request: Request) => Response;
  /** Answers a request to any other address of the file. */
  answer: (request: Request) => Response;
}

/** Prepares the responses of all assets. @throws an Error that names a file of an unknown type. */
export function createAssets(files: AssetFile[]): Assets {
  const assets = new Map(files.map((file) => [ASSETS_PATH + file.name, createAsset(file)]));

  function find(path: string): Asset {
    const asset = assets.get(path);
    if (!asset) throw new Error(`content${path} does not exist`);
    return asset;
  }

  return {
    address: (name) => find(ASSETS_PATH + name).address,
    image(path) {
      const { bytes, address } = find(path);
      return { src: address, ...sizeOf(path, bytes) };
    },
    answer(path, request) {
      const asset = assets.get(path);
      if (!asset) return undefined;
      const hasDigest = request.url.endsWith(asset.address);
      return hasDigest ? asset.answerWithDigest(request) : asset.answer(request);
    },
  };
}

function createAsset({ name, bytes }: AssetFile): Asset {
  const extension = name.slice(name.lastIndexOf(".") + 1);
  const type = TYPES[extension];
  if (!type) {
    const known = Object.keys(TYPES).join(", ");
    throw new Error(`content/assets/${name} has an unknown type; the types are ${known}`);
  }
  const version = createHash("sha256").update(bytes).digest("base64url").slice(0, 10);
  const representation = represent(bytes, type.contentType, type);
  const answerCached = (cacheControl: string) =>
    prepareAnswer(representation, { headers: { ...HEADERS, "Cache-Control": cacheControl } });
  return {
    bytes,
    address: `${ASSETS_PATH}${name}?v=${version}`,
    answerWithDigest: answerCached(IMMUTABLE),
    answer: answerCached("public, no-cache, no-transform"),
  };
}

/** Reads the size of an SVG from its `width` and `height`, or of a PNG from its header. */
function sizeOf(path: string, bytes: Uint8Array<ArrayBuffer>): { width: number; height: number } {
  if (path.endsWith(".png")) {
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    return { width: view.getUint32(16), height: view.getUint32(20) };
  }
  const tag = path.endsWith(".svg")
    ? /<svg[^>]*>/.exec(new TextDecoder().decode(bytes))?.[0] ?? ""
    : "";
  const [width, height] = ["width", "height"].map((name) =>
    Number(new RegExp(` ${name}="(\\d+)"`).exec(tag)?.[1])
  );
  if (!width || !height) {
    throw new Error(`content${path} has no size; use a PNG, or an SVG with width and height`);
  }
  return { width, height };
}
