// Tells which conversation a chat request belongs to.
import { isObject } from "../../core/json.ts";
import type { ConversationSide } from "../conversation.ts";
import { eachText, idOrNull } from "../kit/opening.ts";

export const chatConversation: ConversationSide = {
  id: ({ prompt_cache_key: id }) => idOrNull(id),
  open({ messages }, opening) {
    if (!Array.isArray(messages)) return;
    for (const message of messages) {
      if (!isObject(message)) continue;
      const { role, content } = message;
      const isInstruction = role === "system" || role === "developer";
      if (isInstruction) eachText(content, (text) => opening.instruct(text));
      else if (role === "user") eachText(content, (text) => opening.say(text));
      else return;
    }
  },
};
