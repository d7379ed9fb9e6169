/**
 * The files of `content/assets/`: style sheet, scripts, images. An address carries the content's digest,
 * so that browsers can keep a file for good; the bare address works too and is asked for anew.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { AssetFile } from "../content/mod.ts";
import { prepareAnswer, represent } from "../http/representation.ts";

/** The folder's place in the URL space. */
export const ASSETS_PATH = "/assets/";

/** The assets of a site. */
export interface Assets {
  /** An asset's address with its digest. @throws an Error where there is no such asset. */
  address: (name: string) => string;
  /** An image's address with its digest, and its size in CSS pixels. */
  image: (address: string) => { src: string; width: number; height: number };
  /** Answers a GET or HEAD; `undefined` where the path names no asset. */
  answer: (path: string, request: Request) => Response | undefined;
}

/** The media types by file extension, and whether compression is worth its while. */
const TYPES: Record<string, { contentType: string; compress: boolean }> = {
  css: { contentType: "text/css; charset=utf-8", compress: true },
  js: { contentType: "text/javascript; charset=utf-8", compress: true },
  svg: { contentType: "image/svg+xml", compress: true },
  png: { contentType: "image/png", compress: false },
  jpg: { contentType: "image/jpeg", compress: false },
  webp: { contentType: "image/webp", compress: false },
};

/** A year, in seconds: as long as caches keep anything. */
const FOR_GOOD = "public, max-age=31536000, immutable, no-transform";

const HEADERS = {
  "Vary": "Accept-Encoding",
  "X-Content-Type-Options": "nosniff",
  // An SVG opened by itself is a document; it may bring its own style and nothing else.
  "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
};

interface Asset {
  bytes: Uint8Array<ArrayBuffer>;
  /** With its digest. */
  address: string;
  /** Answers a request to that address. */
  answerAsAddressed: (request: Request) => Response;
  /** Answers a request to the bare address. */
  answer: (request: Request) => Response;
}

/** Makes the assets ready to be answered. @throws an Error naming a file whose type is not known. */
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
      const asAddressed = request.url.endsWith(asset.address);
      return asAddressed ? asset.answerAsAddressed(request) : asset.answer(request);
    },
  };
}

function createAsset({ name, bytes }: AssetFile): Asset {
  const extension = name.slice(name.lastIndexOf(".") + 1);
  const type = TYPES[extension];
  if (!type) {
    const known = Object.keys(TYPES).join(", ");
    throw new Error(`content/assets/${name} is of no known type; the types are ${known}`);
  }
  const version = createHash("sha256").update(bytes).digest("base64url").slice(0, 10);
  const representation = represent(bytes, type.contentType, type);
  const answerCached = (cacheControl: string) =>
    prepareAnswer(representation, { headers: { ...HEADERS, "Cache-Control": cacheControl } });
  return {
    bytes,
    address: `${ASSETS_PATH}${name}?v=${version}`,
    answerAsAddressed: answerCached(FOR_GOOD),
    answer: answerCached("public, no-cache, no-transform"),
  };
}

/** The size of an SVG, by its `width` and `height`, or of a PNG, by its header. */
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
    throw new Error(`content${path} tells no size; use a PNG, or an SVG with width and height`);
  }
  return { width, height };
}
