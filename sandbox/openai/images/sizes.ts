// The sizes that gpt-image draws. Its first models know three of them, its newest five more than
// the rule allows; a model of another name is a reseller's, and follows the rule.
import type { ImageSize } from "../../../src/core/image-size.ts";
import { invalid } from "../check.ts";

const step = 16;
const pixelsMax = 3840 * 2160;
const sideMax = 3840;
const quotientMax = 3;
const firstModels = /^gpt-image-1(?!\d)/;
const firstSizes = ["1024x1024", "1536x1024", "1024x1536"];
const newestModels = /^(?:gpt-image|imageA)-2\.5/;
const newestSizes = ["1920x1080", "1080x1920", "3840x2880", "3840x2560", "2560x3840"];
const usual: ImageSize = { width: 1024, height: 1024 };

export function readSize(text: string, model: string): ImageSize {
  if (text === "auto") return usual;
  const [, across, down] = /^([1-9]\d{0,4})x([1-9]\d{0,4})$/.exec(text) ?? [];
  const size = { width: Number(across), height: Number(down) };
  if (across === undefined) throw wrong(text, "Expected 'auto' or a size such as '1024x1024'.");
  if (firstModels.test(model)) {
    if (firstSizes.includes(text)) return size;
    throw wrong(text, `Supported values are: ${firstSizes.join(", ")} and auto.`);
  }
  if (newestModels.test(model) && newestSizes.includes(text)) return size;
  const why = faultOf(size);
  if (why !== null) throw wrong(text, why);
  return size;
}

function faultOf({ width, height }: ImageSize): string | null {
  const [shorter, longer] = [Math.min(width, height), Math.max(width, height)];
  if (width % step !== 0 || height % step !== 0) {
    return `Width and height must both be divisible by ${step}.`;
  }
  if (longer / shorter > quotientMax) return "The aspect ratio must be between 1:3 and 3:1.";
  if (longer > sideMax || width * height > pixelsMax) {
    return "The size is beyond the current pixel and edge limits.";
  }
  return null;
}

function wrong(text: string, why: string): Error {
  return invalid("size", `Invalid size '${text}'. ${why}`);
}
