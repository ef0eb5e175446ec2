// Reason for a channel's place in the order, or its absence, in words for people.
import type { AccountId } from "../../core/ids.ts";
import type { Channel } from "../../distribution/channel.ts";
import type { channelStates } from "../../distribution/channel-states.ts";
import type { Format } from "../../formats/format.ts";
import type { OwnNames } from "../../identity/own-names.ts";

/** The caller whose request it would be. */
export interface Reader {
  group: string;
  multiplierPpm: number;
  /** Null: every model of the group. */
  models: ReadonlySet<string> | null;
  ownNames: OwnNames | null;
  /** Null where it could be anybody's. */
  accountId: AccountId | null;
  isRoot: boolean;
}

const closed: Readonly<Record<(typeof channelStates)[number], string>> = {
  open: "It is open.",
  ejected: "It failed too often in a row, and is put aside.",
  saturated: "It has as many requests as it may have at once or a minute.",
  spent: "As much was spent on it as may be in a day.",
  resting: "All its keys are told to wait by the vendor.",
  disabled: "None of its keys works.",
};

export function reasonOf(
  state: (typeof channelStates)[number],
  turn: number | null,
  converted: string | null,
): string {
  if (turn === null) return closed[state];
  const first = turn === 1 ? "It is asked first" : `It is asked when turn ${turn - 1} has failed`;
  return converted === null ? `${first}.` : `${first}, in another format than the client's.`;
}

interface Missed {
  model: string;
  format: Format | null;
  reader: Reader;
}

export function whyNot({ settings }: Channel, { model, reader }: Missed): string {
  const { models, groups, isForRoot } = settings;
  if (!models.includes(model)) return "It does not serve this model.";
  if (isForRoot) return "It is for the root account alone.";
  if (!groups.includes(reader.group)) return `It is not for the group ${reader.group}.`;
  if (reader.models && !reader.models.has(model)) return "The key's own list has not this model.";
  return "Its type cannot do what is asked.";
}
