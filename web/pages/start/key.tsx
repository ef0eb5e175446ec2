// A key of one's own, shown once with how it is used.
import { useState } from "preact/hooks";
import type { CreatedKey, Listed, ModelView } from "../../../src/admin/contract.ts";
import { call, refresh, useAction, useGet } from "../../core/api.ts";
import { markStep } from "../../core/first-steps.ts";
import { Button } from "../../kit/button.tsx";
import { Code } from "../../kit/code.tsx";
import { Refusal } from "../../kit/failure.tsx";
import { faultOf, TextField } from "../../kit/field.tsx";
import { Snippets } from "../../kit/snippets.tsx";
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
    const { key } = await call<CreatedKey>("POST", "/api/token", { name: name.trim() });
    onMade(key);
    markStep("key");
    refresh("/api/token");
  });
  const send = (event: Event) => {
    event.preventDefault();
    void make.run();
  };
  if (secret !== null) return <Made secret={secret} />;
  return (
    <>
      <p class="quiet reading">{words.keyText}</p>
      <form class="stack narrow" onSubmit={send}>
        <TextField
          label={words.keyName}
          value={name}
          onInput={setName}
          maxLength={64}
          isRequired
          fault={faultOf(make.error, "name")}
        />
        <Refusal error={make.error} />
        <div>
          <Button kind="main" type="submit" isBusy={make.isBusy}>
            {words.make}
          </Button>
        </div>
      </form>
    </>
  );
}

function Made({ secret }: { secret: string }) {
  const { data } = useGet<Listed<ModelView>>("/api/model?kind=text&page_size=1");
  return (
    <>
      <p class="notice warn">{t().once}</p>
      <Code text={secret} wraps />
      <h3>{t().use}</h3>
      <Snippets secret={secret} model={data?.items[0]?.id ?? "MODEL"} />
    </>
  );
}
