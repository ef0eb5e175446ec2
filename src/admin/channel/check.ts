// Tries a channel without having it do any work: whether its address answers and its key is taken.
// Where the vendor has no call for that, only the address is tried, and the result says so.
import { describe, scrub } from "../../core/log.ts";
import type { ChannelKey, ChannelSettings } from "../../distribution/channel.ts";
import { checkKey } from "../../gateway/check-key.ts";
import type { Scope } from "../../gateway/scope.ts";
import type { Send } from "../../core/outbound.ts";
import { VendorRefusal, type Fault } from "../../upstreams/upstream.ts";
import type { ChannelTest } from "../contract.ts";
import type { ChannelNeeds } from "./needs.ts";
import type { Tell } from "./trial-steps.ts";

export interface Trial {
  settings: ChannelSettings;
  key: ChannelKey;
  model: string;
  scope: Scope;
  send: Send;
  /** Null where only the result is wanted. */
  tell: Tell | null;
}

export interface KeyTrial {
  result: ChannelTest;
  /** The vendor could not be reached, or is not well. */
  isChannelFault: boolean;
}

const messageCharactersMax = 500;
const verdicts = {
  key: "The vendor takes the key. No work was started, so the model itself was not tried.",
  address: "The address answers. There is no free call that would also try the key.",
};

export async function checkChannel(needs: ChannelNeeds, trial: Trial): Promise<KeyTrial> {
  const { key, model } = trial;
  const startedAtMs = needs.clock.monotonicMs();
  const { error, status, checked } = await checkKey(
    { send: trial.send, deadlines: needs.deadlines, clock: needs.clock },
    trial,
  );
  // Who did not answer is named: an answer shows by itself that the address is right.
  const where = status === null ? `${URL.parse(trial.settings.baseUrl)?.host ?? ""}: ` : "";
  return {
    result: {
      ok: error === null,
      status,
      latency_ms: Math.round(needs.clock.monotonicMs() - startedAtMs),
      message: error === null ? verdicts[checked] : withoutKey(where + tell(error), key.text),
      model,
      key: key.position,
      checked,
    },
    isChannelFault: error !== null && blameOf(error) === "channel",
  };
}

/** The vendor's own words help an operator, but never with the key in them. */
export function withoutKey(text: string, keyText: string): string {
  return scrub(text.replaceAll(keyText, "[secret]")).slice(0, messageCharactersMax);
}

function blameOf(error: unknown): Fault["blame"] {
  return error instanceof VendorRefusal ? error.fault.blame : "channel";
}

function tell(error: unknown): string {
  return error instanceof VendorRefusal ? error.fault.message : describe(error);
}
