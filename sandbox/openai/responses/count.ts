// Counting the tokens of a request without answering it.
import { readFaults } from "../../directives.ts";
import type { Work, WorkContext } from "../work.ts";
import { readConversation } from "./conversation.ts";
import { readPrompt } from "./prompt.ts";
import { tailOf } from "./render.ts";
import { parseCount } from "./schema.ts";
import { readFormat } from "./text-format.ts";
import { readChoice, readTools } from "./tools.ts";

export function prepareCount(json: unknown, context: WorkContext): Work {
  const body = parseCount(json);
  const { bearer } = context;
  readFormat(body.text?.format);
  readChoice(body.tool_choice, readTools(body.tools));
  const { items } = readConversation(body, context, tailOf(context));
  const { instructions, tools, model } = body;
  const { text, tokens } = readPrompt({ items, instructions, tools, bearer });
  return {
    model,
    faults: readFaults(text, bearer),
    body: () => ({ object: "response.input_tokens", input_tokens: tokens }),
    events: null,
  };
}
