// Tools that an answer asks for, each with a box for its result: the answer goes on with them.
import { Button } from "../../kit/button.tsx";
import { Code } from "../../kit/code.tsx";
import { TextArea } from "../../kit/field.tsx";
import { answerCalls } from "./run-text.ts";
import type { Reply, Strand } from "./state.ts";
import { t } from "./words.ts";

interface CallsOptions {
  strand: Strand;
  reply: Reply;
  isOpen: boolean;
}

export function Calls({ strand, reply, isOpen }: CallsOptions) {
  const words = t();
  const { calls, results, facts } = reply;
  if (calls.value.length === 0) return null;
  const canAnswer = isOpen && facts.value.state === "over" && facts.value.error === null;
  const set = (id: string) => (text: string) => (results.value = { ...results.peek(), [id]: text });
  return (
    <div class="stack">
      {calls.value.map(({ id, name, arguments: text }) => (
        <section key={id} class="tool-call stack" aria-label={words.callOf(name)}>
          <h3 class="mono cut">{words.callOf(name)}</h3>
          <Code text={indented(text)} wraps />
          {canAnswer ? (
            <TextArea
              label={words.resultOf(name)}
              rows={2}
              isMono
              value={results.value[id] ?? ""}
              onInput={set(id)}
            />
          ) : (
            results.value[id] && <Code text={results.value[id]} wraps />
          )}
        </section>
      ))}
      {canAnswer && (
        <div class="row">
          <Button icon="send" isSmall onClick={() => void answerCalls(strand)}>
            {words.sendResults}
          </Button>
        </div>
      )}
    </div>
  );
}

/** Arguments while they come are no JSON yet. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
