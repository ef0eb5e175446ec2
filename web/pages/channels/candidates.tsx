// The channels of a route preview: those that would be asked, and those that would not.
import type { RoutePreview } from "../../../src/admin/contract.ts";
import { readWhole } from "../../core/amounts.ts";
import { percent } from "../../core/format.ts";
import { addressOf } from "../../core/place.ts";
import { Dot } from "../../kit/badge.tsx";
import { Empty } from "../../kit/empty.tsx";
import { Table } from "../../kit/table.tsx";
import { t } from "./tool-words.ts";

/** Weights that are tried out, by the id of their channel. */
export type Weights = Readonly<Record<string, number>>;
type Candidate = RoutePreview["candidates"][number];

interface CandidateOptions {
  preview: RoutePreview;
  weights: Weights;
  onWeights(weights: Weights): void;
}

export function Candidates({ preview, weights, onWeights }: CandidateOptions) {
  const words = t();
  if (preview.candidates.length === 0) return <Empty title={words.nobody} />;
  const set = (id: string, text: string) => {
    const { [id]: _old, ...rest } = weights;
    const weight = readWhole(text);
    onWeights(weight ? { ...rest, [id]: weight } : rest);
  };
  return (
    <div class="scrolls">
      <Table
        label={words.candidates}
        rows={preview.candidates}
        idOf={({ id }) => id}
        columns={[
          {
            name: "turn",
            head: words.turn,
            cell: ({ turn }) => <span class="number">{turn === null ? "–" : String(turn)}</span>,
            card: "aside",
          },
          { name: "name", head: words.channel, cell: (one) => <Link {...one} />, card: "title" },
          {
            name: "state",
            head: words.state,
            cell: ({ state }) => (
              <Dot tone={state === "open" ? "good" : "warn"}>{words.channelStates[state]}</Dot>
            ),
          },
          { name: "priority", head: words.priority, cell: ({ priority }) => String(priority) },
          { name: "weight", head: words.weight, cell: (one) => <Weight {...{ one, set }} /> },
          { name: "share", head: words.share, cell: (one) => <Share one={one} />, card: "hidden" },
          {
            name: "upstream",
            head: words.upstream,
            cell: (one) => <span class="mono quiet">{one.upstream_model}</span>,
            card: "hidden",
          },
          { name: "why", head: words.why, cell: whyOf },
        ]}
      />
    </div>
  );
}

function Link({ id, name }: { id: string; name: string }) {
  return <a href={addressOf("channels", id)}>{name}</a>;
}

interface WeightOptions {
  one: Candidate;
  set(id: string, text: string): void;
}

function Weight({ one: { id, name, weight }, set }: WeightOptions) {
  return (
    <input
      class="input tried"
      type="number"
      min={1}
      max={1000}
      aria-label={t().tryWeight(name)}
      value={weight}
      onInput={(event) => set(id, event.currentTarget.value)}
    />
  );
}

function Share({ one: { share } }: { one: Candidate }) {
  const text = percent(share, 1);
  return (
    <div class="share-of">
      <span class="number">{text}</span>
      <div class="meter" aria-hidden="true">
        <span style={{ width: `${(share * 100).toFixed(1)}%` }} />
      </div>
    </div>
  );
}

/** Its own words are English; they follow from the state, the turn and the format. */
function whyOf({ turn, state, converted_to: format }: Candidate): string {
  const words = t();
  if (turn === null) return words.closed[state];
  const first = turn === 1 ? words.first : words.after(turn - 1);
  return format === null ? first : `${first} ${words.converted(format)}`;
}

export function Others({ preview: { others, group } }: { preview: RoutePreview }) {
  const words = t();
  const reasons: Record<string, string> = words.reasons;
  const why = (reason: string) => {
    if (reason === `It is not for the group ${group}.`) return words.notForGroup(group);
    return reasons[reason] ?? reason;
  };
  return (
    <Table
      label={words.others}
      rows={others}
      idOf={({ id }) => id}
      columns={[
        { name: "name", head: words.channel, cell: (one) => <Link {...one} />, card: "title" },
        { name: "priority", head: words.priority, cell: ({ priority }) => String(priority) },
        { name: "why", head: words.why, cell: ({ reason }) => why(reason) },
      ]}
    />
  );
}
