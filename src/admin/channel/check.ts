// Tries a channel without having it do any work: whether its address answers and its key is taken.
// Where the vendor has no call for that, only the address is tried, and the result says so.
import { describe } from "../../core/log.ts";
import type { ChannelKey, ChannelSettings } from "../../distribution/channel.ts";
import { checkKey } from "../../gateway/check-key.ts";
import { concealer } from "../../gateway/conceal.ts";
import type { Scope } from "../../gateway/scope.ts";
import type { Send } from "../../core/outbound.ts";
import { VendorRefusal, type Fault } from "../../upstreams/upstream.ts";
import type { ChannelTest } from "./contract.ts";
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
  // Name the host that did not answer: an answer shows by itself that the address is right.
  const where = status === null ? `${URL.parse(trial.settings.baseUrl)?.host ?? ""}: ` : "";
  return {
    result: {
      ok: error === null,
      status,
      latency_ms: Math.round(needs.clock.monotonicMs() - startedAtMs),
      message: error === null ? verdicts[checked] : withoutSecrets(where + causeOf(error), trial),
      model,
      key: key.position,
      checked,
    },
    isChannelFault: error !== null && blameOf(error) === "channel",
  };
}

/** The vendor's own words help an operator, but never with the channel's credentials in them. */
export function withoutSecrets(text: string, called: Pick<Trial, "settings" | "key">): string {
  // The key goes here however short it is: an operator may have mistyped one.
  const hidden = text.replaceAll(called.key.text, "[secret]");
  return concealer(called)(hidden).slice(0, messageCharactersMax);
}

function blameOf(error: unknown): Fault["blame"] {
  return error instanceof VendorRefusal ? error.fault.blame : "channel";
}

/** The vendor's own words, or the fault on the way to it. */
export function causeOf(error: unknown): string {
  return error instanceof VendorRefusal ? error.fault.message : describe(error);
}
