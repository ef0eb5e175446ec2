// The conversation: what was asked, and each model's answer beside the others'.
import { useEffect, useRef } from "preact/hooks";
import { dataUrl, type Picture } from "../../core/text/formats.ts";
import { Button, CopyButton, LinkButton } from "../../kit/button.tsx";
import { Empty } from "../../kit/empty.tsx";
import { Refusal } from "../../kit/failure.tsx";
import { later } from "../../kit/later.tsx";
import { Markdown } from "../../kit/markdown/markdown.tsx";
import { Pictures } from "./attach.tsx";
import { TextFigures } from "./figures.tsx";
import { draft, pictures, running, turns, type Reply, type Strand, type Turn } from "./state.ts";
import { Calls } from "./tool-calls.tsx";
import { t } from "./words.ts";

const Compared = later(async () => (await import("./compared.tsx")).Compared);

export function Turns() {
  const words = t();
  const end = useRef<HTMLDivElement>(null);
  const all = turns.value;
  useEffect(() => end.current?.scrollIntoView({ block: "nearest" }), [all.length]);
  if (all.length === 0) return <Empty title={words.lead} text={words.leadText} />;
  return (
    <div class="turns">
      {all.map((turn, at) => (
        <article key={at} class="stack" aria-label={turn.question}>
          <Asked turn={turn} at={at} />
          <div class="answers" style={{ "--columns": turn.strands.length }}>
            {turn.strands.map((strand) => (
              <Answer key={strand.model} strand={strand} isLast={at === all.length - 1} />
            ))}
          </div>
        </article>
      ))}
      {all.some(({ strands }) => strands.length > 1) && <Compared />}
      <div ref={end} />
    </div>
  );
}

function Asked({ turn: { question, pictures: seen }, at }: { turn: Turn; at: number }) {
  const words = t();
  const edit = () => {
    draft.value = question;
    pictures.value = seen;
    turns.value = turns.value.slice(0, at);
  };
  return (
    <div class="asked">
      <span class="faint">{words.you}</span>
      <p>
        {question}
        <Pictures of={seen} />
      </p>
      {running.value === null && (
        <Button kind="plain" isSmall icon="edit" label={words.edit} onClick={edit} />
      )}
    </div>
  );
}

function Answer({ strand, isLast }: { strand: Strand; isLast: boolean }) {
  const replies = strand.replies.value;
  const isRunning = replies.at(-1)?.facts.value.state === "running";
  const text = replies.map((one) => one.text.value).join("\n\n");
  return (
    <section class="answer" aria-label={strand.model} aria-busy={isRunning}>
      <div class="row">
        <h2 class="cut">{strand.model}</h2>
        {!isRunning && text !== "" && (
          <span class="push">
            <CopyButton text={text} label={t().copyAnswer} />
          </span>
        )}
      </div>
      <div class="stack">
        {replies.map((reply, at) => (
          <Said
            key={at}
            {...{ strand, reply }}
            isOpen={isLast && at === replies.length - 1 && running.value === null}
            hasFigures={at < replies.length - 1}
          />
        ))}
      </div>
      {replies.slice(-1).map(({ facts }) => (
        <TextFigures key={0} facts={facts.value} />
      ))}
    </section>
  );
}

interface SaidOptions {
  strand: Strand;
  reply: Reply;
  /** Its calls can still be answered. */
  isOpen: boolean;
  hasFigures: boolean;
}

function Said({ strand, reply, isOpen, hasFigures }: SaidOptions) {
  const { state, error } = reply.facts.value;
  const caret = state === "running" && <span class="caret" aria-hidden="true" />;
  return (
    <>
      <Markdown text={reply.text.value} end={caret} />
      <Made of={reply.pictures.value} model={strand.model} />
      <Calls {...{ strand, reply, isOpen }} />
      {state === "stopped" && <p class="faint">{t().stopped}</p>}
      <Refusal error={error} />
      {hasFigures && <TextFigures facts={reply.facts.value} />}
    </>
  );
}

/** Pictures in an answer. */
function Made({ of, model }: { of: readonly Picture[]; model: string }) {
  const words = t();
  return of.map((one, at) => (
    <figure key={at} class="made">
      <img src={dataUrl(one)} alt={words.picture(model)} />
      <LinkButton kind="plain" isSmall icon="download" href={dataUrl(one)} download="">
        {words.download}
      </LinkButton>
    </figure>
  ));
}
