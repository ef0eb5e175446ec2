// Pictures by Stability's models: about a million pixels in one of its shapes. Of one other picture
// they are made by Stable Diffusion alone, in the shape that it has.
import type { JsonObject } from "../../../core/json.ts";
import type { ImageJob } from "../../../families/image-job.ts";
import { shapeOf } from "../../kit/google/image-request.ts";
import { noImage, withheld } from "../../kit/image-reply.ts";
import { seedAt } from "../../kit/image-seed.ts";
import { listIn, textOf } from "../../kit/vendor-reply.ts";
import { base64Of, pictureReply, type PictureCall, type PictureModel } from "./picture-model.ts";

const ratios = ["1:1", "2:3", "3:2", "4:5", "5:4", "9:16", "16:9", "9:21", "21:9"];
const onlyClass = "1K";
const fileTypes = ["png", "jpeg"];
const diffusion = /\.sd3/;
/** The part of the picture that is made anew; the vendor has no usual one. */
const strength = 0.7;

export const stabilityImages: PictureModel = {
  lacks(job) {
    const shape = shapeOf(job);
    if (shape === null) return "size";
    // A picture made of another one has the shape of that one.
    if (job.isSizeExact && job.size !== null && job.images.length > 0) return "size";
    if (shape.ratio !== null && !ratios.includes(shape.ratio)) return "aspect_ratio";
    if (shape.sizeClass !== null && shape.sizeClass !== onlyClass) return "size";
    if (job.outputFormat !== null && !fileTypes.includes(job.outputFormat)) return "output_format";
    return job.images[diffusion.test(job.model) ? 1 : 0]?.param ?? null;
  },
  toBody,
  read(body, { outputFormat }) {
    const reason = textOf(listIn(body, "finish_reasons")[0]);
    if (reason?.startsWith("Filter")) throw withheld(reason);
    const base64 = textOf(listIn(body, "images")[0]);
    if (base64 === null) throw noImage();
    return pictureReply(base64, outputFormat ?? "png");
  },
};

function toBody(job: ImageJob, { index }: PictureCall): JsonObject {
  const seed = seedAt(job.seed, index);
  const [first] = job.images;
  const ratio = shapeOf(job)?.ratio ?? null;
  return {
    prompt: job.prompt,
    output_format: job.outputFormat ?? "png",
    ...(seed !== null && { seed }),
    ...(first && { mode: "image-to-image", image: base64Of(first), strength }),
    ...(!first && ratio !== null && { aspect_ratio: ratio }),
  };
}
