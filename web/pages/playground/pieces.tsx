// Made media: pictures, and videos with how far they are.
import { percent } from "../../core/format.ts";
import { Badge, type Tone } from "../../kit/badge.tsx";
import { Button, LinkButton } from "../../kit/button.tsx";
import { Empty } from "../../kit/empty.tsx";
import { Refusal } from "../../kit/failure.tsx";
import { Figures } from "./figures.tsx";
import { kindOf, pieces, type MediaFacts, type Piece } from "./state.ts";
import { t } from "./words.ts";

export function Pieces() {
  const kind = kindOf() === "video" ? "video" : "image";
  const shown = pieces.value.filter((piece) => piece.kind === kind);
  if (shown.length === 0) return <Empty title={t().mediaLead[kind]} text={t().mediaText} />;
  return (
    <div class="pieces">
      {shown.map((piece, at) => (
        <PieceCard key={shown.length - at} piece={piece} />
      ))}
    </div>
  );
}

function PieceCard({ piece }: { piece: Piece }) {
  const words = t();
  const { model, prompt, facts, abort } = piece;
  const { state, error } = facts.value;
  return (
    <article class="answer" aria-label={prompt} aria-busy={state === "running"}>
      <div class="row">
        <h2 class="cut">{model}</h2>
        <State facts={facts.value} />
        {state === "running" && (
          <span class="push">
            <Button isSmall icon="stop" onClick={() => abort.abort()}>
              {words.stop}
            </Button>
          </span>
        )}
      </div>
      <div class="stack">
        <p class="said">{prompt}</p>
        <Progress facts={facts.value} />
        <Results piece={piece} />
        <Refusal error={error} />
      </div>
      <Figures facts={facts.value} />
    </article>
  );
}

const tones: Readonly<Record<string, Tone>> = { completed: "good", failed: "bad" };

function State({ facts: { task, state, error } }: { facts: MediaFacts }) {
  const words = t();
  if (state === "stopped") return <Badge>{words.stopped}</Badge>;
  if (task !== null) return <Badge tone={tones[task] ?? "accent"}>{words.states[task]}</Badge>;
  if (error) return <Badge tone="bad">{words.states.failed}</Badge>;
  return state === "running" ? <Badge tone="accent">{words.waiting}</Badge> : null;
}

function Progress({ facts: { state, progress } }: { facts: MediaFacts }) {
  if (state !== "running" || progress === null) return null;
  const label = t().progress(percent(progress, 100, 0));
  return <progress max={100} value={progress} aria-label={label} title={label} />;
}

function Results({ piece: { kind, prompt, facts } }: { piece: Piece }) {
  const words = t();
  return (
    <>
      {facts.value.urls.map((url) => (
        <figure key={url} class="made">
          {kind === "image" ? (
            <img src={url} alt={words.picture(prompt)} />
          ) : (
            <video src={url} controls preload="metadata" aria-label={words.video(prompt)} />
          )}
          <LinkButton kind="plain" isSmall icon="download" href={url} download="">
            {words.download}
          </LinkButton>
        </figure>
      ))}
    </>
  );
}
