// Pictures behind links that need no key. A link says all that its picture is made from, so nothing
// has to be kept for it.
import { noFaults } from "../directives.ts";
import { type Answer, originOf, type VendorRequest } from "../vendor.ts";
import { seedOf } from "../writer/seed.ts";
import { drawPicture, type PictureAsk, type PictureFormat } from "./index.ts";

const link = /^\/pictures\/(\d{1,4})x(\d{1,4})-(\d{1,10})\.(png|jpeg|webp)$/;
const sideMax = 8192;

/** `prefix` is the vendor's, such as "/ark". */
export function pictureLink(request: VendorRequest, prefix: string, ask: PictureAsk): string {
  const { width, height, format, seed, label = "" } = ask;
  const query = label === "" ? "" : `?label=${encodeURIComponent(label)}`;
  const name = `${width}x${height}-${seedOf(seed)}.${format}${query}`;
  return `${originOf(request)}${prefix}/pictures/${name}`;
}

/** Null when the path is no such link. */
export function pictureAnswer({ method, path, query }: VendorRequest): Answer | null {
  const [, across, down, seed = "", format] = link.exec(path) ?? [];
  const [width, height] = [Number(across), Number(down)];
  const isSize = [width, height].every((side) => side >= 1 && side <= sideMax);
  if (method !== "GET" || !isSize || !isFormat(format)) return null;
  const label = query.get("label") ?? "";
  const bytes = drawPicture({ width, height, format, seed, label });
  const headers = { "content-type": `image/${format}` };
  return { status: 200, headers, faults: noFaults, content: { kind: "whole", bytes } };
}

function isFormat(text: string | undefined): text is PictureFormat {
  return text === "png" || text === "jpeg" || text === "webp";
}
