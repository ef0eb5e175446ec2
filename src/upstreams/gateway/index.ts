// Another gateway with this same API: it speaks every format as it is.
import type { FormatName } from "../../formats/format.ts";
import { mendText as mend } from "../kit/mend-text.ts";
import { checkByModels, listByModels } from "../openai-wire-check.ts";
import { readOpenaiFault } from "../openai-wire-faults.ts";
import { openaiAddress, storedAddress } from "../openai-wire.ts";
import type { Upstream } from "../upstream.ts";
import { image } from "./image.ts";
import { video } from "./video.ts";

const allFormats: readonly FormatName[] = [
  "chat",
  "completions",
  "responses",
  "messages",
  "content",
  "embeddings",
  "embedContent",
  "batchEmbedContents",
];

export const gateway: Upstream = {
  type: "gateway",
  text: {
    formats: (dialect) => (dialect === null ? allFormats : [dialect]),
    address: openaiAddress,
    stored: storedAddress,
    mend,
  },
  video,
  image,
  check: checkByModels,
  models: listByModels,
  readFault: readOpenaiFault,
};
