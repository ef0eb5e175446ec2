// Tells which conversation a generateContent request belongs to. Its body has no place for an id.
import type { ConversationSide } from "../conversation.ts";
import { eachText } from "../kit/opening.ts";
import { field, listField, objectField } from "./schema.ts";

export const contentConversation: ConversationSide = {
  id: () => null,
  open(body, opening) {
    const instruction = field(body, "systemInstruction");
    if (typeof instruction === "string") opening.instruct(instruction);
    const system = objectField(body, "systemInstruction");
    if (system) eachText(listField(system, "parts"), (text) => opening.instruct(text));
    const [first] = listField(body, "contents");
    if (first) eachText(listField(first, "parts"), (text) => opening.say(text));
  },
};
