// The form in which every encoder gets an exchange. Clients send histories that vendors refuse;
// here they are put right once, for all dialects:
// - no empty texts and no empty turns; turns of the same role that follow each other are one;
// - an assistant turn with calls is followed by a user turn that begins with the results of all
//   of them, in their order; a result without a call becomes text; no id stands for two calls;
// - a history with calls has tools, and there is no tool choice without tools.
import type { CallPart, Exchange, Part, ResultPart, Tool, Turn } from "../exchange.ts";
import { NumberedNames } from "./names/numbered-names.ts";

export function toNormalForm(exchange: Exchange): Exchange {
  const merged = mergeTurns(exchange.turns.map(withoutEmptyTexts));
  const hasCalls = merged.some(({ parts }) => parts.some(isOfCall));
  const turns = hasCalls ? mergeTurns(pairCalls(merged)) : merged;
  const tools = exchange.tools.length > 0 || !hasCalls ? exchange.tools : toolsOf(turns);
  const isRemembered = exchange.tools.length === 0 && tools.length > 0;
  let { toolChoice } = exchange;
  if (tools.length === 0) toolChoice = null;
  else if (isRemembered) toolChoice = { kind: "none" };
  const system = exchange.system.filter(({ text }) => text !== "");
  return { ...exchange, system, turns, tools, toolChoice };
}

function isOfCall({ kind }: Part): boolean {
  return kind === "call" || kind === "result";
}

function withoutEmptyTexts({ role, parts }: Turn): Turn {
  return { role, parts: parts.filter((part) => part.kind !== "text" || part.text !== "") };
}

function mergeTurns(turns: readonly Turn[]): Turn[] {
  const merged: Turn[] = [];
  for (const turn of turns) {
    if (turn.parts.length === 0) continue;
    const last = merged.at(-1);
    if (last?.role === turn.role) last.parts.push(...turn.parts);
    else merged.push({ role: turn.role, parts: [...turn.parts] });
  }
  return merged;
}

function pairCalls(turns: readonly Turn[]): Turn[] {
  const results = resultsOf(turns);
  const taken = new Set(results.values());
  const ids = new NumberedNames((id, count) => `${id}_${count}`);
  const paired: Turn[] = [];
  for (const { role, parts } of turns) {
    const answers: ResultPart[] = [];
    const rest = parts.flatMap((part) => {
      if (part.kind === "result") return taken.has(part) ? [] : toText(part);
      if (part.kind !== "call") return [part];
      const call = withOwnId(part, ids);
      answers.push(answerTo(call, results.get(part)));
      return [call];
    });
    paired.push({ role, parts: rest }, { role: "user", parts: answers });
  }
  return paired;
}

/** Some clients use an id again, which vendors refuse. */
function withOwnId(call: CallPart, ids: NumberedNames): CallPart {
  const id = ids.take(call.id);
  return id === call.id ? call : { ...call, id };
}

/**
 * The first result that follows a call and names it. An id that comes again in a later turn means
 * the later call; calls of one turn that share an id are answered in their order.
 */
function resultsOf(turns: readonly Turn[]): Map<CallPart, ResultPart> {
  const open = new Map<string, { turn: Turn; calls: CallPart[]; answeredCount: number }>();
  const results = new Map<CallPart, ResultPart>();
  for (const turn of turns) {
    for (const part of turn.parts) {
      if (part.kind === "call") {
        const waiting = open.get(part.id);
        if (waiting?.turn === turn) waiting.calls.push(part);
        else open.set(part.id, { turn, calls: [part], answeredCount: 0 });
      } else if (part.kind === "result") {
        const waiting = open.get(part.callId);
        const call = waiting?.calls[waiting.answeredCount++];
        if (call) results.set(call, part);
      }
    }
  }
  return results;
}

/** A result that no call asked for is still something the user said. */
function toText({ callId, content }: ResultPart): Part[] {
  return [{ kind: "text", text: `Result of a tool (${callId}):` }, ...content];
}

/** Content of the results that are made here, which is how they are told from the client's. */
export const noResult: ResultPart["content"] = [{ kind: "text", text: "The tool gave no result." }];

function answerTo({ id, name, isCustom }: CallPart, result: ResultPart | undefined): ResultPart {
  if (result) return { ...result, callId: id, name, isCustom };
  return { kind: "result", callId: id, name, content: noResult, isError: true, isCustom };
}

function toolsOf(turns: readonly Turn[]): Tool[] {
  const names = new Map<string, boolean>();
  for (const part of turns.flatMap(({ parts }) => parts)) {
    if (part.kind === "call") names.set(part.name, part.isCustom);
  }
  return [...names].map(([name, isCustom]) => ({
    name,
    description: null,
    schema: isCustom ? null : { type: "object", properties: {} },
    isStrict: null,
    custom: isCustom ? { format: null } : null,
  }));
}
