// Reason for the route: every channel that it could have gone to, and the reason for each.
import type { AttemptView, CandidateView } from "../../../src/admin/contract.ts";
import { addressOf } from "../../core/place.ts";
import { Badge, type Tone } from "../../kit/badge.tsx";
import { t } from "./words.ts";

interface WhyOptions {
  candidates: readonly CandidateView[];
  tries: readonly AttemptView[];
}

const last = 1000;

export function Why({ candidates, tries }: WhyOptions) {
  const turnOf = ({ channel_id: id }: CandidateView) =>
    tries.find(({ channel_id }) => channel_id === id)?.number ?? last;
  const inTurn = candidates.toSorted(
    (one, other) => turnOf(one) - turnOf(other) || other.priority - one.priority,
  );
  return (
    <section class="stack part">
      <h3>{t().why}</h3>
      <ol class="reasons">
        {inTurn.map((candidate) => (
          <Reason key={candidate.channel_id} candidate={candidate} tries={tries} />
        ))}
      </ol>
    </section>
  );
}

function Reason({ candidate, tries }: { candidate: CandidateView; tries: readonly AttemptView[] }) {
  const words = t();
  const { channel, channel_id: id, priority, weight, in_flight: running, reason } = candidate;
  const own = tries.filter(({ channel_id }) => channel_id === id);
  const attempt = own.at(-1);
  const text = attempt
    ? words.tried(attempt.number, endingOf(attempt.outcome))
    : (Object.entries(words.reasons).find(([name]) => name === reason)?.[1] ?? reason);
  return (
    <li>
      <a class="cut" href={addressOf("channels", id)}>
        {channel}
      </a>
      <span class="faint cut">{words.place(priority, weight, running)}</span>
      <span class="push">
        <Badge tone={toneOfReason(attempt, reason)}>{text}</Badge>
      </span>
    </li>
  );
}

function endingOf(outcome: string): string {
  return Object.entries(t().endings).find(([name]) => name === outcome)?.[1] ?? outcome;
}

function toneOfReason(attempt: AttemptView | undefined, reason: string): Tone {
  if (attempt) return attempt.outcome === "served" ? "good" : "bad";
  return reason === "lower priority" || reason === "not needed" ? "none" : "warn";
}
