// Google's generateContent.
import type { GatewayError } from "../../core/errors.ts";
import { encodeEvent } from "../../core/sse.ts";
import type { Format } from "../format.ts";
import { readCount } from "../usage.ts";
import { contentConversation } from "./conversation.ts";
import { decodeContentReply } from "./decode-reply.ts";
import { decodeContentRequest } from "./decode-request.ts";
import { ContentStreamDecoder } from "./decode-stream.ts";
import { encodeContentReply } from "./encode-reply.ts";
import { encodeContentRequest } from "./encode-request.ts";
import { ContentStreamEncoder } from "./encode-stream.ts";
import {
  contentReplyTexts,
  ContentStreamObserver,
  readContentReply,
  writeReplyUsage,
} from "./observe.ts";
import { contentRequestTexts, readContentRequest, readDrawingFacts } from "./read.ts";
import { boundContent } from "./output-bound.ts";
import { forwardContent } from "./signature.ts";
import { contentSurcharges } from "./surcharges.ts";

export const content: Format = {
  name: "content",
  headers: [],
  boundField: "generationConfig.maxOutputTokens",
  read: readContentRequest,
  forward: (body, { model }) => forwardContent(body, model),
  bound: boundContent,
  readReply: readContentReply,
  writeUsage: writeReplyUsage,
  observe: (request) => new ContentStreamObserver(request),
  encodeError: encodeContentError,
  requestTexts: contentRequestTexts,
  conversation: contentConversation,
  replyTexts: contentReplyTexts,
  fetchesAnything: true,
  drawingFacts: readDrawingFacts,
  surcharges: contentSurcharges,
  client: {
    decodeRequest: decodeContentRequest,
    encodeReply: encodeContentReply,
    encodeStream: (frame) => new ContentStreamEncoder(frame),
  },
  upstream: {
    nameCharactersMax: 64,
    nameCharacters: /^[A-Za-z_][\w.:-]*$/,
    encodeRequest: encodeContentRequest,
    decodeReply: decodeContentReply,
    decodeStream: () => new ContentStreamDecoder(),
    counting: { fields: null, read: ({ totalTokens: count }) => readCount(count) },
  },
};

/** Google reads errors inside a stream from a bare data event. */
function encodeContentError(error: GatewayError): Uint8Array {
  const { message, type, param, shownCode: code } = error;
  const details = [{ type, param, code }];
  // A fault that breaks off an answer is never the client's, unless the vendor says so.
  const status = error.shown?.upstreamStatus ?? 500;
  const broken = { code: status, message, status: statusNames[status] ?? "INTERNAL", details };
  return encodeEvent(JSON.stringify({ error: broken }));
}

const statusNames: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
};
