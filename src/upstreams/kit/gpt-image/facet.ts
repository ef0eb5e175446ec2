// Images by gpt-image, wherever it is served: from a prompt by JSON, from other images by a form.
import type { JsonObject } from "../../../core/json.ts";
import type { ImageJob } from "../../../families/image-job.ts";
import { readMadeImages } from "../../openai-wire-images.ts";
import type {
  Address,
  ImageCall,
  ImageFacet,
  ImageReply,
  Upstream,
  VendorRequest,
} from "../../upstream.ts";
import { joinCalls } from "../image-calls.ts";
import { sizeText } from "../picture-shape.ts";
import { takenBody } from "../video-reply.ts";
import { kindOf, lacks, toBody } from "./request.ts";
import { toVendorSize } from "./size.ts";

interface Maker {
  address(call: ImageCall, kind: ImageJob["kind"]): Address;
  readFault: Upstream["readFault"];
  /** Looks at an answer of success first: some say there what they left out. */
  inspect?(body: JsonObject): void;
}

/** More are made by several calls. */
const countMax = 10;

export function gptImages(maker: Maker): ImageFacet {
  const toRequest = (
    job: ImageJob,
    call: ImageCall,
    ask: { count: number; isStream: boolean },
  ): VendorRequest => {
    const body = toBody(job, { ...ask, model: call.model });
    return { method: "POST", address: maker.address(call, kindOf(job)), body };
  };
  return {
    lacks,
    run(job: ImageJob, _original: JsonObject, call: ImageCall): Promise<ImageReply> {
      const size = toVendorSize(job, call.model);
      return joinCalls(Math.ceil(job.count / countMax), async (index) => {
        const count = Math.min(countMax, job.count - index * countMax);
        const reply = await call.send(toRequest(job, call, { count, isStream: false }));
        const body = takenBody(reply, maker.readFault);
        maker.inspect?.(body);
        return readMadeImages(body, size ? sizeText(size) : null);
      });
    },
    stream: (job, _original, call) => toRequest(job, call, { count: job.count, isStream: true }),
  };
}
