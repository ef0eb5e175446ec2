// Notes what a request could have gone to, once it is known that its first choice did not serve it:
// of most requests nothing is noted.
import type { AccountId } from "../core/ids.ts";
import type { Channel } from "../distribution/channel.ts";
import type { CandidateNote, CandidateState } from "../observe/candidate-note.ts";

interface Noted {
  candidates: readonly CandidateNote[];
}

interface Among {
  names: readonly string[];
  accountId: AccountId;
  channels: readonly Channel[];
}

/** Candidates as they are at the choice, noted once for a request. */
export function noteCandidates(progress: Noted, among: Among, nowMs: number): void {
  if (progress.candidates.length > 0) return;
  progress.candidates = among.channels.map((channel) => ({
    channelId: channel.settings.id,
    channelName: channel.settings.name,
    priority: channel.settings.priority,
    weight: channel.settings.weight,
    inFlight: channel.inFlight,
    state: stateOf(channel, among, nowMs),
  }));
}

function stateOf(channel: Channel, { names, accountId }: Among, nowMs: number): CandidateState {
  const { keys } = channel.settings;
  if (!keys.some(({ isEnabled }) => isEnabled)) return "disabled";
  if (channel.health.isOut(nowMs, accountId)) return "ejected";
  if (channel.spentUntilMs(nowMs) > nowMs) return "spent";
  if (channel.isFull(nowMs)) return "saturated";
  return channel.hasKey({ names, nowMs, tried: { keys: [] } }) ? "open" : "resting";
}
