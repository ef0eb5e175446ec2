// sluice channel test: the steps of a test as they come, and what they came to.
import type { Command } from "commander";
import { trialCalls, type ChannelTest, type TrialStep } from "../../admin/channel/contract.ts";
import { addCallCommand } from "../call-command.ts";
import { channelOf } from "./channel-options.ts";
import type { CommandNeeds } from "../command.ts";
import { ControlError, type ControlClient, type Sent } from "../control-client.ts";
import type { Terminal } from "../terminal.ts";

export function addTest(channels: Command, needs: CommandNeeds): void {
  const { terminal } = needs;
  addCallCommand(channels, "test", needs, {
    description: "try a channel for next to nothing; a success enables its key again",
    examples: ["sluice channel test main --model gpt-5-mini"],
    call: trialCalls.saved,
    of: channelOf,
    options: {
      model: { value: "name", text: "the model to ask (default: its first)" },
      key: { value: "number", text: "which of its keys, from 0 (default: a disabled one)" },
    },
    ask: (client, sent, { json }) => follow(client, sent, json ? null : terminal),
    text({ ok, status, latency_ms: latencyMs, message }) {
      if (!ok) terminal.fail();
      const answered = status === null ? "no answer" : `status ${status}`;
      const words = message === "" ? "" : `: ${message}`;
      return `${ok ? "ok" : "failed"}: ${answered} after ${latencyMs} ms${words}`;
    },
  });
}

/** The result, with the steps for programs; people are shown them as they come. */
async function follow(
  client: ControlClient,
  sent: Sent,
  shown: Terminal | null,
): Promise<ChannelTest> {
  const steps: TrialStep[] = [];
  const order = { ...sent, query: { stream: "1" } };
  for await (const step of client.follow<TrialStep>(trialCalls.saved, order)) {
    if (step.result) return { ...step.result, ...(!shown && { steps }) };
    steps.push(step);
    shown?.write(`${lineOf(step)}\n`);
  }
  throw new ControlError("the test broke off: look at the gateway's log");
}

function lineOf(step: TrialStep): string {
  return `${String(step.ms).padStart(6)} ms  ${wordsOf(step)}`;
}

function wordsOf({ step, models, has_model: hasModel, message, ...facts }: TrialStep): string {
  switch (step) {
    case "granted":
      return "credentials obtained";
    case "listed":
      return `${models ?? 0} models listed, this one ${hasModel ? "among them" : "not"}`;
    case "unlisted":
      return `no list of models${message === undefined ? "" : `: ${message}`}`;
    case "resolved":
      return `${facts.method ?? ""} ${facts.url ?? ""}`;
    case "connected":
      return "connected";
    case "answered":
      return `answered with status ${facts.status ?? ""}`;
    case "first_token":
      return "first token";
    case "done":
    case "failed":
      return `${step} ${facts.code ?? ""}`.trim();
  }
}
