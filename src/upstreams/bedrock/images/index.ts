// Pictures of the runtime's models, by InvokeModel: one a call, from words or from other pictures.
// Amazon's own models have one body, Stability's another.
import type { ImageJob } from "../../../families/image-job.ts";
import { placed } from "../../kit/google/path.ts";
import { joinCalls } from "../../kit/image-calls.ts";
import { hasSeeds } from "../../kit/image-seed.ts";
import { takenBody } from "../../kit/video-reply.ts";
import type { ImageFacet } from "../../upstream.ts";
import { readFault } from "../errors.ts";
import { isRuntime, modelAddress } from "../place.ts";
import { amazonImages } from "./amazon.ts";
import type { PictureModel } from "./picture-model.ts";
import { stabilityImages } from "./stability.ts";

/** A profile's ARN does not say whose model it leads to; it is taken for Amazon's. */
function modelOf(name: string): PictureModel {
  return /(?:^|[./])stability\./.test(name) ? stabilityImages : amazonImages;
}

export const image: ImageFacet = {
  lacks: (job) => modelOf(job.model).lacks(job) ?? lacksAny(job),
  async run(job, _original, { target, model, reference, send }) {
    const { toBody, read } = modelOf(model);
    const isHere = isRuntime(target.baseUrl);
    const address = placed(
      isHere ? modelAddress({ model, stream: false }, "invoke", target) : null,
    );
    return joinCalls(job.count, async (index) => {
      const body = toBody(job, { model, reference, index });
      return read(takenBody(await send({ method: "POST", address, body }), readFault), job);
    });
  },
};

const fileTypes = ["image/png", "image/jpeg"];

/** A mask of these models is black where a client's is clear, so none can be handed on. */
function lacksAny({ kind, images, mask, seed, count }: ImageJob): string | null {
  if (!hasSeeds(seed, count)) return "seed";
  if (mask) return mask.param;
  const strange = images.find(
    ({ source }) => source.kind !== "bytes" || !fileTypes.includes(source.type),
  );
  return strange?.param ?? (kind === "edit" && images.length === 0 ? "image" : null);
}
