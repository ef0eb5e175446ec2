// Outcome of a conversion: the vendor's side, and the client's where an answer was given.
import { count, exactMoney } from "../../core/format.ts";
import { Badge } from "../../kit/badge.tsx";
import { Code } from "../../kit/code.tsx";
import { Card, Facts } from "../../kit/figures.tsx";
import type { ConvertView } from "../../../src/admin/contract.ts";
import { t } from "./tool-words.ts";

export function Converted({ view }: { view: ConvertView }) {
  const words = t();
  const { micros, input_tokens_max: input, output_tokens_max: output } = view.hold;
  return (
    <div class="stack">
      <Card title={words.vendorGets} note={view.converted ? view.format : words.asIs}>
        <Facts
          pairs={[
            [words.address, <span class="mono wrap">{view.url}</span>],
            [words.model, <span class="mono">{view.upstream_model}</span>],
            [words.ignored, <Ignored names={view.ignored} />],
            [words.added, <Ignored names={view.added} />],
            [words.held, words.heldOf(exactMoney(micros), count(input), count(output))],
          ]}
        />
        <Code text={JSON.stringify(view.body, null, 2)} wraps />
        <h3>{words.headers}</h3>
        <Code text={headerLines(view.headers)} wraps />
      </Card>
      {view.reply && <Reply reply={view.reply} />}
    </div>
  );
}

function headerLines(headers: Record<string, string>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}

function Ignored({ names }: { names: readonly string[] }) {
  if (names.length === 0) return <>{t().nothing}</>;
  return (
    <span class="row wraps">
      {names.map((name) => (
        <Badge key={name} tone="warn">
          {name}
        </Badge>
      ))}
    </span>
  );
}

function Reply({ reply }: { reply: NonNullable<ConvertView["reply"]> }) {
  const words = t();
  const { input_tokens: input, output_tokens: output, charged_micros: micros } = reply;
  const number = (value: number | null) => (value === null ? "–" : count(value));
  return (
    <Card title={words.clientGets}>
      <Facts
        pairs={[
          [words.tokens, words.tokensOf(number(input), number(output))],
          [words.charged, micros === null ? words.counted : exactMoney(micros)],
        ]}
      />
      <Code text={reply.events ?? JSON.stringify(reply.body, null, 2)} wraps />
    </Card>
  );
}
