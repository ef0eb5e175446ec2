// Cost of conversion: the gateway's conversions beside its own pass-through, on the same vendor and
// with the same words.
import type { Options } from "../options.ts";
import { prove } from "../targets/prove.ts";
import type { Target } from "../targets/target.ts";
import { clientWires, type ClientWire } from "./client-wires.ts";
import { measure, planPass } from "./passes.ts";
import { rotate, warmUpSeconds, type Series } from "./rounds.ts";
import { models, renderAsk } from "./workload.ts";

export const wayNames = [
  "chat, passed through",
  "chat to messages",
  "messages to chat",
  "chat to content",
  "responses to chat",
] as const;
type WayName = (typeof wayNames)[number];
export const [passThrough, ...conversionNames] = wayNames;

export const conversionPasses = ["request", "stream"] as const;
export type ConversionPass = (typeof conversionPasses)[number];

export interface Conversions {
  readonly rounds: Readonly<Record<ConversionPass, Series<WayName>>>;
  /** Reason why a conversion is missing. */
  readonly absent: Partial<Record<WayName, string>>;
}

/** The wire of the client, and the model, which is on one channel only. */
interface Way {
  readonly wire: ClientWire;
  readonly model: string;
}

const { chat, messages, responses } = clientWires;
const ways: Readonly<Record<WayName, Way>> = {
  "chat, passed through": { wire: chat, model: models.chat },
  "chat to messages": { wire: chat, model: models.messages },
  "messages to chat": { wire: messages, model: models.chat },
  "chat to content": { wire: chat, model: models.content },
  "responses to chat": { wire: responses, model: models.chat },
};

export async function compareConversions(
  gateway: Target | undefined,
  options: Options,
): Promise<Conversions> {
  const found: Conversions = { rounds: { request: {}, stream: {} }, absent: {} };
  if (gateway === undefined || options.rounds === 0) return found;
  const proven = await findProven(gateway, found.absent);
  const run = (name: WayName, pass: ConversionPass, seconds: number) => {
    const ask = renderAsk({ ...ways[name], isStream: pass === "stream" });
    return measure(gateway, { ...planPass(pass, options), ...ask, seconds });
  };
  console.error("warming up conversions");
  for (const name of proven)
    for (const pass of conversionPasses) await run(name, pass, warmUpSeconds);
  for (let round = 0; round < options.rounds; round++) {
    console.error(`round ${round + 1} of ${options.rounds}, conversions`);
    for (const pass of conversionPasses)
      for (const name of rotate(proven, round))
        (found.rounds[pass][name] ??= []).push(await run(name, pass, options.seconds));
  }
  return found;
}

async function findProven(gateway: Target, absent: Conversions["absent"]): Promise<WayName[]> {
  const proven: WayName[] = [];
  for (const name of wayNames)
    try {
      await prove(gateway, ways[name]);
      proven.push(name);
    } catch (error) {
      absent[name] = error instanceof Error ? error.message : String(error);
      console.error(`${name} is left out: ${absent[name]}`);
    }
  return proven;
}
