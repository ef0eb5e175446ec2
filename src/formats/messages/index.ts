// Messages: the format of Anthropic and of the vendors that speak it.
import type { Format } from "../format.ts";
import { messagesConversation } from "./conversation.ts";
import { decodeReply } from "./decode-reply.ts";
import { decodeRequest } from "./decode-request.ts";
import { MessagesStreamDecoder } from "./decode-stream.ts";
import { encodeReply } from "./encode-reply.ts";
import { encodeRequest } from "./encode-request.ts";
import { MessagesStreamEncoder } from "./encode-stream.ts";
import { forwardMessages } from "./forward.ts";
import {
  encodeMessagesError,
  MessagesObserver,
  readMessagesReply,
  writeMessagesUsage,
} from "./observe.ts";
import { readMessagesRequest } from "./read.ts";
import { fitMessages } from "./rules/fit.ts";
import { replyTexts, requestTexts } from "./texts.ts";
import { messagesSurcharges } from "./surcharges.ts";
import { callIdCharacters } from "./wire/call-id.ts";
import { readCount } from "../usage.ts";

export const messages: Format = {
  name: "messages",
  headers: ["anthropic-version", "anthropic-beta"],
  sessionHeaders: ["x-session-affinity", "x-session-id", "x-claude-code-session-id"],
  boundField: "max_tokens",
  read: readMessagesRequest,
  forward: forwardMessages,
  fit: fitMessages,
  readReply: readMessagesReply,
  writeUsage: writeMessagesUsage,
  observe: () => new MessagesObserver(),
  encodeError: encodeMessagesError,
  requestTexts,
  conversation: messagesConversation,
  replyTexts,
  surcharges: messagesSurcharges,
  client: {
    decodeRequest,
    encodeReply,
    encodeStream: (frame) => new MessagesStreamEncoder(frame),
  },
  upstream: {
    // Anthropic takes longer names, those that speak its format do not all.
    nameCharactersMax: 64,
    nameCharacters: /^[\w-]+$/,
    idCharacters: callIdCharacters,
    encodeRequest,
    decodeReply,
    decodeStream: () => new MessagesStreamDecoder(),
    counting: {
      fields: ["model", "messages", "system", "tools", "tool_choice", "thinking", "output_config"],
      read: ({ input_tokens: count }) => readCount(count),
    },
  },
};
