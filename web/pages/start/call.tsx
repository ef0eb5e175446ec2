// The first call, answered on the page as it comes.
import { useState } from "preact/hooks";
import type { LogView } from "../../../src/admin/contract.ts";
import { useAction, withQuery } from "../../core/api.ts";
import { useEvery } from "../../core/lists/every.ts";
import { askStream, rowOf } from "../../core/ask.ts";
import { markStep } from "../../core/first-steps.ts";
import { exactMoney } from "../../core/format.ts";
import { addressOf } from "../../core/place.ts";
import { curl } from "../../core/curl.ts";
import { textCall } from "../../core/text/call.ts";
import type { Call } from "../../core/text/formats.ts";
import { Button, LinkButton } from "../../kit/button.tsx";
import { Code } from "../../kit/code.tsx";
import { Refusal } from "../../kit/failure.tsx";
import { Select, TextField } from "../../kit/field.tsx";
import { t } from "./words.ts";

const tokensMax = 500;

export function FirstCall({ secret }: { secret: string | null }) {
  const words = t();
  const { data, rows } = useEvery("GET /api/model", { kind: "text" });
  const models = rows.filter(({ reachable }) => reachable).map(({ id }) => id);
  const [chosen, setChosen] = useState("");
  const [question, setQuestion] = useState(words.hello);
  const model = chosen || (models[0] ?? "");
  if (data && models.length === 0) return <p class="notice warn">{words.noModels}</p>;
  return (
    <>
      <p class="quiet reading">{words.callText}</p>
      <div class="pair">
        <Select<string>
          label={words.model}
          value={model}
          options={models.map((one) => [one, one] as const)}
          onChange={setChosen}
        />
        <TextField label={words.question} value={question} onInput={setQuestion} />
      </div>
      <Live {...{ secret, model, question }} />
    </>
  );
}

interface LiveOptions {
  secret: string | null;
  model: string;
  question: string;
}

function Live({ secret, model, question }: LiveOptions) {
  const words = t();
  const [text, setText] = useState("");
  const [row, setRow] = useState<LogView | null>(null);
  const messages = [{ role: "user", content: question } as const];
  const rest = { system: "", temperature: null, tokensMax, more: {} };
  const asked = textCall({ format: "chat", model, messages, ...rest });
  const send = useAction(async () => {
    setText("");
    setRow(null);
    let requestId: string | null = null;
    await askStream(asked, {
      format: "chat",
      key: secret ?? undefined,
      onAnswer: (answered) => (requestId = answered.requestId),
      onPiece: (piece) => setText((before) => before + piece.text),
    });
    markStep("call");
    if (requestId !== null) setRow(await rowOf(requestId));
  });
  return (
    <>
      <Code text={codeOf(asked, secret)} />
      <div class="row wraps">
        <Button
          kind="main"
          icon="send"
          isBusy={send.isBusy}
          isDisabled={model === "" || question.trim() === ""}
          onClick={() => void send.run()}
        >
          {words.send}
        </Button>
        <span class="faint">{secret === null ? words.withPage : words.withOwn}</span>
      </div>
      <Refusal error={send.error} />
      {text !== "" && (
        <section class="heard" aria-label={words.answer} aria-live="polite">
          {text}
        </section>
      )}
      {row && (
        <div class="row wraps">
          <span class="number">{words.cost(exactMoney(row.micros))}</span>
          <LinkButton icon="requests" href={addressOf("requests", row.request_id)}>
            {words.trace}
          </LinkButton>
          <LinkButton icon="playground" href={withQuery(addressOf("playground"), { model })}>
            {words.play}
          </LinkButton>
        </div>
      )}
    </>
  );
}

function codeOf({ path, body }: Call, secret: string | null): string {
  const bearer = secret === null ? { variable: "SLUICE_KEY" } : { text: secret };
  return curl({ url: location.origin + path, bearer, body, isStream: true });
}
