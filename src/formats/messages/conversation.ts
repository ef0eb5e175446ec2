// Tells which conversation a messages request belongs to. Claude Code has its session in `user_id`.
import { isObject } from "../../core/json.ts";
import type { ConversationSide } from "../conversation.ts";
import { eachText, idOrNull } from "../kit/opening.ts";

/** Changes with every request of a harness, and is no part of what it says. */
const billingLine = "x-anthropic-billing-header";

export const messagesConversation: ConversationSide = {
  id: ({ metadata }) => (isObject(metadata) ? idOrNull(metadata["user_id"]) : null),
  open({ system, messages }, opening) {
    eachText(system, (text) => {
      if (!text.startsWith(billingLine)) opening.instruct(text);
    });
    const first: unknown = Array.isArray(messages) ? messages[0] : null;
    if (isObject(first)) eachText(first["content"], (text) => opening.say(text));
  },
};
