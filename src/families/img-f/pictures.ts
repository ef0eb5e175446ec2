// The pictures of a request, as data URIs with the type that their bytes have.
import type { JsonObject } from "../../core/json.ts";
import { readMedia, type MediaFieldRule } from "../kit/media.ts";
import { invalidValue } from "../kit/refuse.ts";
import { sniffBase64 } from "../kit/sniff.ts";

const mebibyte = 1024 * 1024;
const types = ["image/png", "image/jpeg", "image/webp", "image/gif"];
const rule: MediaFieldRule = {
  kind: "image",
  role: "reference",
  forms: ["data", "base64", "file"],
  types,
  bytesMax: 10 * mebibyte,
};

export function readPictures(
  body: JsonObject,
  names: readonly string[],
  countMax: number,
): string[] {
  const media = readMedia(body, names, rule);
  if (media.length > countMax) {
    throw invalidValue(
      names[0] ?? "",
      countMax === 1 ? "can be only one" : `can be at most ${countMax}`,
    );
  }
  return media.map(({ source, param }) => {
    if (source.kind !== "bytes") throw invalidValue(param, "must be a data URI");
    if (sniffBase64(source.base64) === null)
      throw invalidValue(param, `must be ${types.join(" or ")}`);
    return `data:${source.type};base64,${source.base64}`;
  });
}
