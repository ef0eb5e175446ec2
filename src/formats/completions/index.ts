// Legacy completions. No upstream is asked in it but by a client that speaks it itself.
import type { Format } from "../format.ts";
import { boundOutput, withUsage } from "../kit/openai-fields.ts";
import { encodeOpenaiError } from "../kit/openai-stream.ts";
import { findOpenaiSurcharges, noteOpenaiUse } from "../kit/openai-surcharges.ts";
import { writeOpenaiUsage } from "../kit/openai-usage.ts";
import { SurchargeList } from "../kit/surcharges.ts";
import { decodeCompletionsRequest } from "./decode-request.ts";
import { encodeCompletionsReply } from "./encode-reply.ts";
import { CompletionsStreamEncoder } from "./encode-stream.ts";
import { observeCompletions, readCompletionsReply, replyTexts, requestTexts } from "./observe.ts";
import { outputBounds, readCompletionsRequest } from "./read.ts";

export const completions: Format = {
  name: "completions",
  headers: [],
  boundField: "max_tokens",
  read: readCompletionsRequest,
  forward: (body, { model }) => withUsage({ ...body, model }),
  bound: (body, most) => boundOutput(body, outputBounds, most),
  readReply: readCompletionsReply,
  observe: observeCompletions,
  writeUsage: writeOpenaiUsage,
  encodeError: encodeOpenaiError,
  requestTexts,
  replyTexts,
  surcharges: {
    find(body) {
      const list = new SurchargeList();
      findOpenaiSurcharges(body, list);
      return list.all;
    },
    note: noteOpenaiUse,
  },
  client: {
    decodeRequest: decodeCompletionsRequest,
    encodeReply: encodeCompletionsReply,
    encodeStream: (frame) => new CompletionsStreamEncoder(frame),
  },
  upstream: null,
};
