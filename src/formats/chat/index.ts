// Chat completions.
import type { JsonObject } from "../../core/json.ts";
import type { Format, RequestTarget } from "../format.ts";
import { boundOutput, withUsage } from "../kit/openai-fields.ts";
import { encodeOpenaiError } from "../kit/openai-stream.ts";
import { writeOpenaiUsage } from "../kit/openai-usage.ts";
import { chatConversation } from "./conversation.ts";
import { decodeChatReply } from "./decode-reply.ts";
import { decodeChatRequest } from "./decode-request.ts";
import { ChatStreamDecoder } from "./decode-stream.ts";
import { encodeChatReply } from "./encode-reply.ts";
import { encodeChatRequest } from "./encode-request.ts";
import { ChatStreamEncoder } from "./encode-stream.ts";
import { betterDialect, fitChat } from "./fit.ts";
import { observeChat, readChatReply, replyTexts, requestTexts } from "./observe.ts";
import { readChatRequest } from "./read.ts";
import { withoutForeign } from "./reasoning-details.ts";
import { chatSurcharges } from "./surcharges.ts";

const boundNames = ["max_tokens", "max_completion_tokens"] as const;

export const chat: Format = {
  name: "chat",
  headers: [],
  sessionHeaders: ["x-session-affinity", "x-session-id"],
  boundField: "max_tokens",
  hasMetadata: true,
  read: readChatRequest,
  forward,
  bound: (body, most) => boundOutput(body, boundNames, most),
  fit: fitChat,
  betterDialect,
  readReply: readChatReply,
  observe: observeChat,
  writeUsage: writeOpenaiUsage,
  encodeError: encodeOpenaiError,
  requestTexts,
  conversation: chatConversation,
  replyTexts,
  surcharges: chatSurcharges,
  client: {
    decodeRequest: decodeChatRequest,
    encodeReply: encodeChatReply,
    encodeStream: (frame) => new ChatStreamEncoder(frame),
  },
  upstream: {
    nameCharactersMax: 64,
    nameCharacters: /^[\w-]+$/,
    encodeRequest: encodeChatRequest,
    decodeReply: decodeChatReply,
    decodeStream: () => new ChatStreamDecoder(),
  },
};

function forward(body: JsonObject, { model }: RequestTarget): JsonObject {
  const { messages } = body;
  if (!Array.isArray(messages)) return withUsage({ ...body, model });
  return withUsage({ ...body, model, messages: messages.map(withoutForeign) });
}
