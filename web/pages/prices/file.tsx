// Many prices at once: read in the browser, compared by the gateway, accepted row by row.
import { useState } from "preact/hooks";
import { send, type BodyOf } from "../../core/control.ts";
import { refresh, useAction } from "../../core/api.ts";
import { Button } from "../../kit/button.tsx";
import { Refusal } from "../../kit/failure.tsx";
import { TextArea } from "../../kit/field.tsx";
import { Card } from "../../kit/figures.tsx";
import { showToast } from "../../kit/toast.tsx";
import type { PriceBatch } from "../../../src/admin/contract.ts";
import { Changes, isChange } from "./changes.tsx";
import { readOwn } from "./parts.tsx";
import { t } from "./words.ts";

export function PriceFile() {
  const words = t();
  const [text, setText] = useState("");
  const [plan, setPlan] = useState<PriceBatch | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const write = (next: string) => {
    setText(next);
    setPlan(null);
    setFault(null);
  };
  const load = useAction(async () => write(JSON.stringify(await readOwn(), null, 2)));
  const compare = useAction(async () => {
    const prices = readList(text);
    if (!prices) return setFault(t().wrongJson);
    setPlan(await send("POST /api/price/batch", { body: { prices, dry_run: true } }));
  });
  return (
    <>
      <p class="quiet">{words.fileHint}</p>
      <Card>
        <div class="row wraps">
          <FileButton onText={write} />
          <Button icon="download" isBusy={load.isBusy} onClick={() => void load.run()}>
            {words.loadOwn}
          </Button>
        </div>
        <TextArea
          label={words.fileText}
          rows={10}
          isMono
          value={text}
          onInput={write}
          fault={fault}
        />
        <Refusal error={load.error ?? compare.error} />
        <div>
          <Button
            kind={plan ? undefined : "main"}
            isBusy={compare.isBusy}
            isDisabled={text.trim() === ""}
            onClick={() => void compare.run()}
          >
            {words.dryRun}
          </Button>
        </div>
      </Card>
      {plan && <Plan plan={plan} text={text} onDone={() => write("")} />}
    </>
  );
}

interface PlanOptions {
  plan: PriceBatch;
  text: string;
  onDone(): void;
}

function Plan({ plan, text, onDone }: PlanOptions) {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const accepted = plan.changes.filter((one) => isChange(one) && !left.has(one.model));
  const apply = useAction(async () => {
    const names = new Set(accepted.map(({ model }) => model));
    const prices = (readList(text) ?? []).filter(({ model }) => names.has(String(model)));
    await send("POST /api/price/batch", { body: { prices } });
    refresh("/api/price", "/api/channel");
    showToast(t().applied(names.size));
    onDone();
  });
  const tools = (
    <Button
      kind="main"
      isBusy={apply.isBusy}
      isDisabled={accepted.length === 0}
      onClick={() => void apply.run()}
    >
      {t().apply(accepted.length)}
    </Button>
  );
  return (
    <Card title={t().kind} tools={tools} isFlush>
      <Refusal error={apply.error} />
      <Changes changes={plan.changes} left={left} onLeft={setLeft} />
    </Card>
  );
}

function FileButton({ onText }: { onText(text: string): void }) {
  const read = async (file: File | undefined) => {
    if (file) onText(await file.text());
  };
  return (
    <label class="button">
      {t().choose}
      <input
        type="file"
        class="unseen"
        accept=".json,application/json"
        onChange={(event) => void read(event.currentTarget.files?.[0])}
      />
    </label>
  );
}

type PriceList = BodyOf<"POST /api/price/batch">["prices"];

/** Faults in the file are for the gateway to refuse. */
function readList(text: string): PriceList | null {
  try {
    const value = JSON.parse(text) as unknown;
    return Array.isArray(value) ? (value as PriceList) : null;
  } catch {
    return null;
  }
}
