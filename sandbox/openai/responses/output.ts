// The model's answer as items: its reasoning first, then what it says or calls.
import type { Written } from "../../writer/write.ts";
import { customInput } from "../tools.ts";
import type { CallItem, CustomCallItem, ItemStatus, MessageItem, ReasoningItem } from "./items.ts";
import { writeText } from "./parts.ts";
import { seal } from "./sealed.ts";

export type OutputItem = ReasoningItem | MessageItem | CallItem | CustomCallItem;

export interface OutputFrame {
  /** Ending of the items' ids. */
  tail: string;
  bearer: string;
  thinking: string;
  showsSummary: boolean;
  showsEncrypted: boolean;
  customNames: ReadonlySet<string>;
  /** Namespace of each tool; null for those that are in none. */
  namespaces: ReadonlyMap<string, string | null>;
}

export function writeOutput(written: Written, frame: OutputFrame): OutputItem[] {
  const { text, calls, finish } = written;
  const isCut = finish === "length" || finish === "filter";
  const output: OutputItem[] = written.reasoningTokens > 0 ? [writeReasoning(frame)] : [];
  // A budget that the reasoning has used up leaves nothing to say.
  if (text !== null && (text !== "" || finish === "stop")) {
    output.push(writeMessage(text, isCut, frame.tail));
  }
  return [
    ...output,
    ...calls.map((call, at) => {
      const status: ItemStatus = isCut && at === calls.length - 1 ? "incomplete" : "completed";
      const { name, arguments: json } = call;
      const id = `${frame.tail}_${at}`;
      const namespace = frame.namespaces.get(name) ?? null;
      const placed = namespace === null ? { name } : { name, namespace };
      const shared = { status, call_id: `call_${id}`, ...placed };
      return frame.customNames.has(name)
        ? ({
            type: "custom_tool_call",
            id: `ctc_${id}`,
            ...shared,
            input: customInput(call),
          } as const)
        : ({ type: "function_call", id: `fc_${id}`, ...shared, arguments: json } as const);
    }),
  ];
}

function writeReasoning(frame: OutputFrame): ReasoningItem {
  const { thinking, bearer } = frame;
  const id = `rs_${frame.tail}`;
  return {
    type: "reasoning",
    id,
    summary: frame.showsSummary ? [{ type: "summary_text", text: thinking }] : [],
    ...(frame.showsEncrypted ? { encrypted_content: seal({ id, text: thinking }, bearer) } : {}),
  };
}

function writeMessage(text: string, isCut: boolean, tail: string): MessageItem {
  return {
    type: "message",
    id: `msg_${tail}`,
    status: isCut ? "incomplete" : "completed",
    role: "assistant",
    content: [writeText(text)],
  };
}
