// The conversation: what was asked, and each model's answer beside the others'.
import { useEffect, useRef } from "preact/hooks";
import { count, millis } from "../../core/format.ts";
import { Button } from "../../kit/button.tsx";
import { Empty } from "../../kit/empty.tsx";
import { Refusal } from "../../kit/failure.tsx";
import { Pictures } from "./attach.tsx";
import { Figures } from "./figures.tsx";
import { draft, pictures, running, turns, type Reply } from "./state.ts";
import { t } from "./words.ts";

export function Turns() {
  const words = t();
  const end = useRef<HTMLDivElement>(null);
  const all = turns.value;
  useEffect(() => end.current?.scrollIntoView({ block: "nearest" }), [all.length]);
  if (all.length === 0) return <Empty title={words.lead} text={words.leadText} />;
  const edit = (at: number, question: string) => {
    draft.value = question;
    pictures.value = all[at]?.pictures ?? [];
    turns.value = all.slice(0, at);
  };
  return (
    <div class="turns">
      {all.map(({ question, pictures: seen, replies }, at) => (
        <article key={at} class="stack" aria-label={question}>
          <div class="asked">
            <span class="faint">{words.you}</span>
            <p>
              {question}
              <Pictures of={seen} />
            </p>
            {running.value === null && (
              <Button
                kind="plain"
                isSmall
                icon="edit"
                label={words.edit}
                onClick={() => edit(at, question)}
              />
            )}
          </div>
          <div class="answers" style={{ "--columns": replies.length }}>
            {replies.map((reply) => (
              <Answer key={reply.model} reply={reply} />
            ))}
          </div>
        </article>
      ))}
      <div ref={end} />
    </div>
  );
}

function Answer({ reply: { model, text, facts } }: { reply: Reply }) {
  const words = t();
  const { state, error, row, firstMs, totalMs } = facts.value;
  return (
    <section class="answer" aria-label={model} aria-busy={state === "running"}>
      <h2 class="cut">{model}</h2>
      <div class="stack">
        <p class="said">
          {text.value}
          {state === "running" && <span class="caret" aria-hidden="true" />}
        </p>
        {state === "stopped" && <p class="faint">{words.stopped}</p>}
        <Refusal error={error} />
      </div>
      <Figures facts={facts.value}>
        {firstMs !== null && <span>{words.first(millis(firstMs))}</span>}
        {row && row.output_tokens > 0 && (
          <>
            {firstMs !== null && totalMs !== null && (
              <span>{words.speed(speedOf(row.output_tokens, totalMs - firstMs))}</span>
            )}
            <span title={words.tokensTitle}>
              {words.tokens(count(row.input_tokens), count(row.output_tokens))}
            </span>
          </>
        )}
      </Figures>
    </section>
  );
}

const shortestMs = 50;

/** An answer in one piece has no speed worth more digits than this. */
function speedOf(tokens: number, ms: number): string {
  return count(Math.round((tokens / Math.max(shortestMs, ms)) * 1000));
}
