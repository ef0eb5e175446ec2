// The flow of text, and what is asked about text.
import type { Config } from "../config/config.ts";
import { describe } from "../core/log.ts";
import type { UsageDoubtNeeds } from "../distribution/doubts.ts";
import type { SettleTextNeeds } from "../gateway/text/settle-text.ts";
import { Origins, type OriginsNeeds } from "../distribution/origins.ts";
import { WasteBudget } from "../distribution/waste-budget.ts";
import type { AttemptNeeds } from "../gateway/attempt.ts";
import type { CountNeeds } from "../gateway/text/count-tokens.ts";
import type { ReadOn } from "../gateway/stream/read-on.ts";
import { ResponseMemory } from "../gateway/text/memory/response-memory.ts";
import { SharedReplies } from "../gateway/text/memory/shared-replies.ts";
import { Meter } from "../gateway/text/meter/meter.ts";
import { SecondLook, type LookNeeds } from "../gateway/text/admit/second-look.ts";
import { KeptAnswers } from "../gateway/text/repeat/kept-answers.ts";
import { Repeats } from "../gateway/text/repeat/repeats.ts";
import type { TextNeeds } from "../gateway/text/serve-text.ts";
import { TurnStates } from "../gateway/text/session/turn-state.ts";
import type { StoredNeeds } from "../gateway/text/stored-response.ts";
import type { Control } from "./control.ts";
import type { Shared } from "./shared.ts";
import type { ListedRow } from "../store/step.ts";

export interface Text {
  serving: TextNeeds;
  counting: CountNeeds;
  stored: StoredNeeds;
  origins: Origins;
  meter: Meter;
  /** Null where no answer is given again. */
  repeats: Repeats | null;
  /** Settlements under way: a process that ends waits for them. */
  settling: Set<Promise<unknown>>;
}

export interface Charging
  extends Pick<SettleTextNeeds, "clamped" | "overran">, Pick<LookNeeds, "looked"> {}

interface TextFlowNeeds {
  attempts: AttemptNeeds;
  doubts: UsageDoubtNeeds;
  charging: Charging;
  readOn: ReadOn;
  madeOn: ReadOn;
  shared: Pick<Shared, "replyLink">;
}

export function createText(config: Config, control: Control, needs: TextFlowNeeds): Text {
  const { attempts, doubts, charging, readOn } = needs;
  const { clamped, overran, looked } = charging;
  const { channels, prices, catalogue, ledger, balances, send, deadlines, database } = control;
  const { clock, machine, affinity, virtualModels, random } = control;
  const { firstByteMs, stallMs, totalMs } = config.timeouts;
  const streamFirstByteMs = Math.min(config.timeouts.streamFirstByteMs, firstByteMs);
  const keep: OriginsNeeds["keep"] = (row) => ledger.accompany(row);
  const origins = new Origins({ database, channels, clock, keep });
  const meter = new Meter({ deadlines, startThread: machine.startCounting });
  const { replyLink: link } = needs.shared;
  const replies = link && new SharedReplies({ link, seal: control.seal });
  const memory = new ResponseMemory({ clock, timers: machine.timers, shared: replies });
  const settling = new Set<Promise<unknown>>();
  const serving: TextNeeds = {
    clock,
    ledger,
    memory,
    opening: {
      channels,
      virtualModels,
      random,
      origins,
      prices,
      catalogue,
      balances,
      bounds: config.text,
      affinity,
    },
    secondLook: new SecondLook({ ledger, meter, rules: config.text, looked }),
    attempts,
    trying: {
      send,
      deadlines,
      firstByteMs,
      streamFirstByteMs,
      openTally: (format) => meter.open(format),
    },
    settling: {
      ledger,
      origins,
      meter,
      doubts,
      clamped,
      overran,
      settling,
      prices,
      wastes: new WasteBudget(),
    },
    readOn,
    turns: new TurnStates(control.seal, channels),
    contents: { isLogged: config.contentLog.enabled, captures: control.captures },
    streaming: { deadlines, stallMs, totalMs },
    rules: config.text,
  };
  const counting = {
    channels,
    virtualModels,
    random,
    origins,
    memory,
    meter,
    send,
    deadlines,
    firstByteMs,
  };
  const stored = { origins, memory, send, deadlines, firstByteMs };
  const repeats = createRepeats(config, control, needs.madeOn);
  return { serving, counting, stored, origins, meter, repeats, settling };
}

function createRepeats(
  { text: rules, timeouts }: Config,
  { database, store, clock, seal, ledger, bookkeeping, machine, log }: Control,
  readOn: ReadOn,
): Repeats | null {
  if (rules.repeatMs === 0) return null;
  const keep = (row: ListedRow) => ledger.accompany(row);
  const { standing } = bookkeeping;
  const { turns } = store;
  const nodes =
    standing && turns
      ? { nodeId: standing.nodeId, isLive: (node: string) => turns.isLive(node) }
      : null;
  return new Repeats({
    kept: new KeptAnswers({ database, store, clock, seal, keep, nodes, rules }),
    readOn,
    timers: machine.timers,
    bytesMax: rules.repeatBytesMax,
    totalMs: timeouts.totalMs,
    faulted: (error) => log.warn("a claim could not be given up", { error: describe(error) }),
  });
}
