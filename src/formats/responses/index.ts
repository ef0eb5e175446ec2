// Responses.
import { isObject, type JsonObject } from "../../core/json.ts";
import { readCount } from "../usage.ts";
import type { Format, RequestTarget } from "../format.ts";
import type { SurchargeSide } from "../surcharge.ts";
import { boundOutput } from "../kit/openai-fields.ts";
import { compactionRequest, encodeCompaction } from "./compact.ts";
import { responsesConversation } from "./conversation.ts";
import { decodeResponsesReply } from "./decode-reply.ts";
import { decodeResponsesRequest } from "./decode-request.ts";
import { ResponsesStreamDecoder } from "./decode-stream.ts";
import { encodeResponsesReply } from "./encode-reply.ts";
import { encodeResponsesRequest } from "./encode-request.ts";
import { ResponsesStreamEncoder } from "./encode-stream.ts";
import { fitResponses } from "./fit.ts";
import { keepResponse, reopenResponse } from "./memory/keep.ts";
import { recallResponses } from "./memory/recall.ts";
import {
  encodeResponsesError,
  readResponsesReply,
  ResponsesObserver,
  responsesReplyTexts,
} from "./observe.ts";
import { readResponsesRequest, responsesRequestTexts } from "./read.ts";
import { forwardItem } from "./sealed.ts";
import { withBothNames, writeResponseUsage } from "./usage.ts";
import { responsesSurcharges } from "./surcharges.ts";

export const responses: Format = {
  name: "responses",
  headers: [],
  sessionHeaders: ["x-session-affinity", "x-session-id", "session-id", "session_id", "thread-id"],
  boundField: "max_output_tokens",
  hasMetadata: true,
  read: readResponsesRequest,
  forward,
  bound: (body, most) => boundOutput(body, ["max_output_tokens"], most),
  fit: fitResponses,
  outputBound: { field: "max_output_tokens", tokensMin: 16 },
  readReply: readResponsesReply,
  writeUsage: writeResponseUsage,
  complete: withBothNames,
  observe: () => new ResponsesObserver(),
  encodeError: encodeResponsesError,
  requestTexts: responsesRequestTexts,
  conversation: responsesConversation,
  replyTexts: responsesReplyTexts,
  surcharges: responsesSurcharges,
  client: {
    decodeRequest: decodeResponsesRequest,
    encodeReply: encodeResponsesReply,
    encodeStream: (frame) => new ResponsesStreamEncoder(frame),
    recall: recallResponses,
    keep: keepResponse,
    reopen: reopenResponse,
  },
  upstream: {
    nameCharactersMax: 64,
    nameCharacters: /^[\w-]+$/,
    encodeRequest: encodeResponsesRequest,
    decodeReply: decodeResponsesReply,
    decodeStream: () => new ResponsesStreamDecoder(),
    counting: {
      fields: [
        "model",
        "input",
        "instructions",
        "tools",
        "tool_choice",
        "parallel_tool_calls",
        "reasoning",
        "text",
      ],
      read: ({ input_tokens: count }) => readCount(count),
    },
  },
};

const { bound: _bound, ...withoutBound } = responses;

/** No tool is run where a conversation is only condensed. */
const compactionSurcharges: SurchargeSide = {
  find: (...sentRequest) =>
    responsesSurcharges.find(...sentRequest).filter(({ kind }) => kind !== "hosted_tools"),
  note: responsesSurcharges.note,
};

/** Condensing a conversation: an address of its own, and the same wire otherwise. */
export const compaction: Format = {
  ...withoutBound,
  boundField: "input",
  surcharges: compactionSurcharges,
  read: (...args) => ({ ...readResponsesRequest(...args), stream: false }),
  forward: ({ stream: _stream, ...body }, target) => forward(body, target),
  client: {
    decodeRequest: (body, request) => decodeResponsesRequest(compactionRequest(body), request),
    encodeReply: encodeCompaction,
    encodeStream: (frame) => new ResponsesStreamEncoder(frame),
    recall: recallResponses,
    reopen: reopenResponse,
  },
};

/** Usage needs no asking for: it is in every response, and the vendor refuses who asks for it. */
function forward(body: JsonObject, { model }: RequestTarget): JsonObject {
  const { input, stream_options: options } = body;
  const forwarded: JsonObject = { ...body, model };
  if (Array.isArray(input)) forwarded["input"] = input.flatMap(forwardItem);
  if (!isObject(options) || options["include_usage"] === undefined) return forwarded;
  const { include_usage: _always, ...rest } = options;
  if (Object.keys(rest).length > 0) forwarded["stream_options"] = rest;
  else delete forwarded["stream_options"];
  return forwarded;
}
