// The clients of the four formats that are both spoken and understood.
import type { Dialect } from "../../../src/formats/exchange.ts";
import { chatClient } from "./chat.ts";
import type { TextClient } from "./client.ts";
import { contentClient } from "./content.ts";
import { messagesClient } from "./messages.ts";
import { responsesClient } from "./responses.ts";

export const clients: Readonly<Record<Dialect, TextClient>> = {
  chat: chatClient,
  responses: responsesClient,
  messages: messagesClient,
  content: contentClient,
};
