// Clients of each format as readers of what they are sent.
import type { ClientName } from "../matrix.ts";
import { readContent } from "./content.ts";
import { readMessages } from "./messages.ts";
import { readChat, readCompletions } from "./openai.ts";
import { readResponses } from "./responses.ts";
import type { Told } from "./told.ts";

export const readers: Readonly<Record<ClientName, (stream: string) => Told>> = {
  chat: readChat,
  completions: readCompletions,
  responses: readResponses,
  messages: readMessages,
  content: readContent,
};
