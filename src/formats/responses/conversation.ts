// Tells which conversation a responses request belongs to.
import { isObject } from "../../core/json.ts";
import type { ConversationSide } from "../conversation.ts";
import { eachText, idOrNull } from "../kit/opening.ts";

export const responsesConversation: ConversationSide = {
  id: ({ prompt_cache_key: id }) => idOrNull(id),
  open({ instructions, input }, opening) {
    eachText(instructions, (text) => opening.instruct(text));
    if (!Array.isArray(input)) return eachText(input, (text) => opening.say(text));
    for (const item of input) {
      if (!isObject(item)) continue;
      const { role, content } = item;
      const isInstruction = role === "system" || role === "developer";
      if (isInstruction) eachText(content, (text) => opening.instruct(text));
      else if (role === "user") eachText(content, (text) => opening.say(text));
      else return;
    }
  },
};
