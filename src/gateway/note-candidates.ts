// Notes what a request could have gone to, once it is known that its first choice did not serve it:
// of most requests nothing is noted.
import type { AccountId } from "../core/ids.ts";
import type { Channel } from "../distribution/channel.ts";
import type { CandidateNote, CandidateState } from "../observe/candidate-note.ts";

interface Noted {
  candidates: readonly CandidateNote[];
}

interface Among {
  accountId: AccountId;
  channels: readonly Channel[];
}

/** Candidates as they are at the choice, noted once for a request. */
export function noteCandidates(
  progress: Noted,
  { accountId, channels }: Among,
  nowMs: number,
): void {
  if (progress.candidates.length > 0) return;
  progress.candidates = channels.map((channel) => ({
    channelId: channel.settings.id,
    channelName: channel.settings.name,
    priority: channel.settings.priority,
    weight: channel.settings.weight,
    inFlight: channel.inFlight,
    state: stateOf(channel, accountId, nowMs),
  }));
}

function stateOf(channel: Channel, accountId: AccountId, nowMs: number): CandidateState {
  const { keys } = channel.settings;
  if (!keys.some(({ isEnabled }) => isEnabled)) return "disabled";
  if (channel.health.isOut(nowMs, accountId)) return "ejected";
  if ((channel.spend?.spentUntilMs(nowMs) ?? 0) > nowMs) return "spent";
  if (channel.isFull(nowMs)) return "saturated";
  return channel.hasKey(nowMs, []) ? "open" : "resting";
}
