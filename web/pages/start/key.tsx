// A key of one's own, shown once with how it is used.
import { useState } from "preact/hooks";
import { refresh, useAction } from "../../core/api.ts";
import { send, useAnswer } from "../../core/control.ts";
import { markStep } from "../../core/first-steps.ts";
import { Code } from "../../kit/code.tsx";
import { faultOf, TextField } from "../../kit/field.tsx";
import { FormBox } from "../../kit/form.tsx";
import { Snippets } from "../../kit/snippets.tsx";
import { AgentSetups } from "./agents.tsx";
import { t } from "./words.ts";

export function FirstKey({
  secret,
  onMade,
}: {
  secret: string | null;
  onMade(secret: string): void;
}) {
  const words = t();
  const [name, setName] = useState(words.keyUsual);
  const make = useAction(async () => {
    const { key } = await send("POST /api/token", { body: { name: name.trim() } });
    onMade(key);
    markStep("key");
    refresh("/api/token");
  });
  if (secret !== null) return <Made secret={secret} />;
  return (
    <>
      <p class="quiet reading">{words.keyText}</p>
      <FormBox action={make} submit={words.make} isNarrow isMain>
        <TextField
          label={words.keyName}
          value={name}
          onInput={setName}
          maxLength={64}
          isRequired
          fault={faultOf(make.error, "name")}
        />
      </FormBox>
    </>
  );
}

function Made({ secret }: { secret: string }) {
  const { data } = useAnswer("GET /api/model", { query: { kind: "text", page_size: 1 } });
  const model = data?.items[0]?.id ?? "MODEL";
  return (
    <>
      <p class="notice warn">{t().once}</p>
      <Code text={secret} wraps />
      <h3>{t().use}</h3>
      <Snippets {...{ secret, model }} />
      <AgentSetups {...{ secret, model }} />
    </>
  );
}
