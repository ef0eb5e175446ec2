// Everything that a well-formed request can still have wrong.
import type { CountBody, MessagesBody, Wire } from "../request/schema.ts";
import { checkConversation } from "./conversation.ts";
import { checkMedia } from "./media.ts";
import { checkCacheMarks, checkLimits, checkOptions, checkSampling } from "./options.ts";
import { checkThoughts } from "./thoughts.ts";
import { checkToolTurns } from "./tool-turns.ts";

export function checkCount(body: CountBody, wire: Wire): void {
  checkOptions(body);
  checkConversation(body, wire);
  checkToolTurns(body.messages);
  checkThoughts(body);
  checkMedia(body.messages);
  checkCacheMarks(body);
}

export function checkMessages(body: MessagesBody, wire: Wire): void {
  checkLimits(body);
  checkSampling(body);
  checkCount(body, wire);
}
