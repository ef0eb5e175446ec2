// Condensing a conversation: the newest user messages stay as they are, everything else becomes
// one sealed summary that a later request may carry in its place.
import { readFaults } from "../../directives.ts";
import { countTokens } from "../../writer/tokens.ts";
import { usageOf } from "../usage.ts";
import { secondsOf, type Work, type WorkContext } from "../work.ts";
import { readConversation } from "./conversation.ts";
import { type CompactionItem, type Item, renderItem, textOfItem } from "./items.ts";
import { readPrompt } from "./prompt.ts";
import { renderUsage, tailOf } from "./render.ts";
import { parseCompact } from "./schema.ts";
import { seal } from "./sealed.ts";

const keptTokensMax = 2000;
const summaryCharactersMax = 1000;
const excerptCharacters = 60;

export function prepareCompaction(json: unknown, context: WorkContext): Work {
  const body = parseCompact(json);
  const { bearer } = context;
  const tail = tailOf(context);
  const { items } = readConversation(body, context, tail);
  const { instructions, model } = body;
  const prompt = readPrompt({ items, instructions, tools: [], bearer });
  const faults = readFaults(prompt.text, bearer);
  const kept = keepUserMessages(items);
  const summary = summarize(items.filter((item) => !kept.includes(item)));
  const id = `cmp_${tail}`;
  const encrypted = seal({ id, text: summary }, bearer);
  const compaction: CompactionItem = { type: "compaction", id, encrypted_content: encrypted };
  const written = { text: summary, calls: [], finish: "stop" as const, reasoningTokens: 0 };
  const usage = usageOf(prompt.tokens, [{ ...written, tokens: countTokens(summary) }]);
  return {
    model,
    faults,
    body: () => ({
      id: `resp_${tail}`,
      object: "response.compaction",
      created_at: secondsOf(context),
      output: [...kept, compaction].map(renderItem),
      ...(faults.noUsage ? {} : { usage: renderUsage(usage) }),
    }),
    events: null,
  };
}

/** The newest first, as far as the budget goes, but always one. */
function keepUserMessages(items: readonly Item[]): Item[] {
  const messages = items.filter((item) => item.type === "message" && item.role === "user");
  const kept: Item[] = [];
  let tokens = 0;
  for (const message of messages.toReversed()) {
    tokens += countTokens(textOfItem(message));
    if (kept.length > 0 && tokens > keptTokensMax) break;
    kept.unshift(message);
  }
  return kept;
}

function summarize(items: readonly Item[]): string {
  const excerpts = items.map((item) => textOfItem(item).slice(0, excerptCharacters));
  const text = excerpts.filter((excerpt) => excerpt !== "").join("\n");
  return text.slice(0, summaryCharactersMax).toWellFormed();
}
