// Converse: Amazon's one wire for the models of many vendors. Upstreams speak it, no client does.
import type { Format } from "../format.ts";
import { upstreamOnly } from "../no-client.ts";
import { converseReplyTexts } from "./blocks.ts";
import { decodeConverseReply } from "./decode-reply.ts";
import { ConverseStreamDecoder } from "./decode-stream.ts";
import { encodeConverseRequest } from "./encode-request.ts";
import { boundConverse, fitConverse } from "./fit.ts";

export const converse: Format = {
  ...upstreamOnly,
  name: "converse",
  boundField: "inferenceConfig.maxTokens",
  bound: boundConverse,
  fit: fitConverse,
  replyTexts: converseReplyTexts,
  upstream: {
    nameCharactersMax: 64,
    nameCharacters: /^[\w-]+$/,
    idCharacters: /^[\w.:-]+$/,
    encodeRequest: encodeConverseRequest,
    decodeReply: decodeConverseReply,
    decodeStream: () => new ConverseStreamDecoder(),
  },
};
