// Responses: reads the conversation, has it answered, and keeps the answer unless told otherwise.
import { readFaults, withoutDirectives } from "../../directives.ts";
import { type Assignment, type Finish, write } from "../../writer/write.ts";
import type { Prompt } from "../prompt.ts";
import { writeThinking } from "../thinking.ts";
import { toolsToCall } from "../tools.ts";
import { reasoningTokensFor, usageOf } from "../usage.ts";
import type { Work, WorkContext } from "../work.ts";
import { readConversation } from "./conversation.ts";
import { encodeResponse } from "./events.ts";
import { type OutputFrame, writeOutput } from "./output.ts";
import { readPrompt } from "./prompt.ts";
import { renderResponse, tailOf } from "./render.ts";
import { type CreateBody, parseCreate } from "./schema.ts";
import { readFormat, shapeOf } from "./text-format.ts";
import { addedTools } from "./items.ts";
import { placeTools, readChoice, readTools, type Tool } from "./tools.ts";

const incompleteReasons: Readonly<Partial<Record<Finish, string>>> = {
  length: "max_output_tokens",
  filter: "content_filter",
};

export function prepareResponse(json: unknown, context: WorkContext): Work {
  const body = parseCreate(json);
  const { bearer } = context;
  const tail = tailOf(context);
  const listed = readTools(body.tools);
  const { items, characters } = readConversation(body, context, tail);
  const tools = [...listed, ...items.flatMap(addedTools)];
  const { instructions } = body;
  const prompt = readPrompt({ items, instructions, tools: body.tools, bearer });
  const faults = readFaults(prompt.text, bearer);
  const given = { words: context.words, isFiltered: faults.filter, tools };
  const assignment = assign(body, prompt, given);
  const written = write(assignment);
  const thinking = writeThinking(assignment.prompt, written.reasoningTokens);
  const output = writeOutput(written, { tail, bearer, thinking, ...shownOf(body, tools) });
  const usage = faults.noUsage ? null : usageOf(prompt.tokens, [written]);
  const incomplete = incompleteReasons[written.finish] ?? null;
  const { begun, done } = renderResponse({
    body,
    context,
    tools: listed,
    output,
    usage,
    incomplete,
  });
  const keep = (): void => {
    if (body.store === false || faults.errorAfter !== null) return;
    context.memory.keep(bearer, done.id, { response: done, input: items, output, characters });
  };
  const isObfuscated = body.stream_options?.include_obfuscation !== false;
  return {
    model: body.model,
    faults,
    body() {
      keep();
      return done;
    },
    events: !body.stream
      ? null
      : () => {
          keep();
          return encodeResponse({ begun, done, output, isObfuscated, faults });
        },
  };
}

type Given = Pick<Assignment, "words" | "isFiltered"> & { tools: Tool[] };

function assign(body: CreateBody, prompt: Prompt, { tools, ...given }: Given): Assignment {
  const { text, step, attachments, toolResults } = prompt;
  const isParallel = body.parallel_tool_calls !== false;
  const choice = readChoice(body.tool_choice, tools);
  return {
    ...given,
    prompt: withoutDirectives(text),
    attachments,
    toolResults,
    toolsToCall: toolsToCall(choice, { text, step, isParallel }),
    shape: shapeOf(readFormat(body.text?.format)),
    tokensMax: body.max_output_tokens ?? null,
    stop: [],
    reasoningTokens: reasoningTokensFor(effortOf(body)),
  };
}

/** A client that asks to see the reasoning wants some. */
function effortOf({ reasoning }: CreateBody): string | null {
  return reasoning?.effort ?? (reasoning?.summary ? "medium" : null);
}

function shownOf(
  { reasoning, include }: CreateBody,
  tools: readonly Tool[],
): Pick<OutputFrame, "showsSummary" | "showsEncrypted" | "customNames" | "namespaces"> {
  const placed = placeTools(tools);
  const custom = placed.filter(({ tool }) => tool.type === "custom");
  return {
    showsSummary: Boolean(reasoning?.summary ?? reasoning?.generate_summary),
    showsEncrypted: include?.includes("reasoning.encrypted_content") ?? false,
    customNames: new Set(custom.map(({ tool }) => tool.name)),
    namespaces: new Map(placed.map(({ tool, namespace }) => [tool.name, namespace])),
  };
}
