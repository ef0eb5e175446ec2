// Condensing a conversation over models whose vendors have no way to do it: a model is asked for a
// summary, and the summary travels in the place where the vendor of this format hides its own.
import { GatewayError, invalid } from "../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { Reply } from "../exchange.ts";
import type { ReplyFrame } from "../format.ts";
import { inputItems, isMessage, userMessage } from "./read.ts";
import { sealSummary } from "./sealed.ts";
import { encodeUsage } from "./usage.ts";

const task = `You condense conversations. Another model will go on with the conversation that you \
are shown, and it will see nothing of it but what you write now. Write a complete and dense \
handover summary: what the user wants and every requirement and preference that was stated; what \
was done, found and decided, and why; names, numbers, paths, code and results that are still \
needed, literally; what was tried and failed; what is open, and what comes next. Leave out nothing \
that would have to be asked for again. Do not answer the conversation, do not address anyone, and \
write nothing but the summary.`;

const order = "Write the handover summary of the conversation above now.";

const keptMessagesMax = 5;
const keptCharactersMax = 8000;

/** A request that asks the same model to condense the input of this one. */
export function compactionRequest(body: JsonObject): JsonObject {
  const { model, input, instructions, previous_response_id: previous } = body;
  const items = inputItems(input);
  const isBound = (previous ?? null) !== null;
  if (items.length === 0 && !isBound) throw invalid("input", "is required");
  const own = typeof instructions === "string" ? instructions : "";
  const request: JsonObject = {
    model,
    instructions: own === "" ? task : `${task}\n\nThe conversation was held under:\n\n${own}`,
    input: [...items, userMessage(order)],
    // The conversation itself may hold tools.
    tool_choice: "none",
    store: false,
  };
  return isBound ? { ...request, previous_response_id: previous } : request;
}

/** Throws when the model wrote nothing: an empty summary would lose the conversation. */
export function encodeCompaction(reply: Reply, frame: ReplyFrame): JsonObject {
  const [choice] = reply.choices;
  const texts = (choice?.parts ?? []).flatMap((part) => (part.kind === "text" ? [part.text] : []));
  const summary = texts.join("").trim();
  if (summary === "") {
    const message = "The model wrote no summary of the conversation.";
    throw new GatewayError("bad_response_body", { message });
  }
  const { requestId, createdAtSeconds, body } = frame;
  const kept = keptMessages(inputItems(body["input"]));
  return {
    id: `resp_${requestId}`,
    object: "response.compaction",
    created_at: createdAtSeconds,
    output: [
      ...kept.map((text, at) => ({
        id: `msg_${requestId}_${at}`,
        status: "completed",
        ...userMessage(text),
      })),
      { type: "compaction", id: `cmp_${requestId}`, encrypted_content: sealSummary(summary) },
    ],
    usage: encodeUsage(reply.usage),
  };
}

/** The last words of the user stay as they were said, as long as they are short. */
function keptMessages(items: readonly Json[]): string[] {
  const kept: string[] = [];
  let characters = 0;
  for (const item of items.toReversed()) {
    const text = textOfUser(item);
    if (text === null || text === "") continue;
    characters += text.length;
    if (kept.length === keptMessagesMax || characters > keptCharactersMax) break;
    kept.unshift(text);
  }
  return kept;
}

function textOfUser(item: Json): string | null {
  if (!isObject(item) || !isMessage(item) || item["role"] !== "user") return null;
  const { content } = item;
  if (typeof content === "string") return content;
  const parts = Array.isArray(content) ? content.filter(isObject) : [];
  return parts.flatMap(({ text }) => (typeof text === "string" ? [text] : [])).join("\n");
}
