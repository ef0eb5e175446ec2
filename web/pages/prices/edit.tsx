// Setting a model's own price.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { PriceInput } from "../../../src/admin/contract.ts";
import { refresh, useAction, type Action } from "../../core/api.ts";
import { get, send } from "../../core/control.ts";
import { fullMoney } from "../../core/format.ts";
import { may } from "../../core/session.ts";
import { Button } from "../../kit/button.tsx";
import { Confirm, FormDialog } from "../../kit/dialog.tsx";
import { TextField } from "../../kit/field.tsx";
import { FormFields, useForm, type Forming } from "../../kit/form.tsx";
import { showToast } from "../../kit/toast.tsx";
import {
  bodyOf,
  conditionNames,
  moreForm,
  pieceForm,
  ruleDraftsOf,
  ruleNames,
  tokenForm,
  type amountNames,
  type RuleDraft,
} from "./draft.ts";
import { Hours, windowDraftsOf, type WindowDraft } from "./hours.tsx";
import { lowAmountsOf, type LowAmount } from "./low-amounts.ts";
import { PublishedPrice } from "./published.tsx";
import { t } from "./words.ts";

interface EditOptions {
  /** Empty where it is yet to be named. */
  model: string;
  view: PriceInput | null;
  onClose(): void;
}

export function EditPrice({ model, view, onClose }: EditOptions) {
  const [start, setStart] = useState(view);
  const offer = start === null && model !== "" && (
    <PublishedPrice model={model} onTake={(price) => setStart({ ...price, model })} />
  );
  // Another start is another form.
  const key = start === view ? "before" : "published";
  return <PriceForm key={key} {...{ model, offer, onClose }} view={start} />;
}

type FormOptions = EditOptions & { offer: ComponentChildren };

function PriceForm({ model, view, offer, onClose }: FormOptions) {
  const words = t();
  const before = view ?? (model === "" ? null : { model });
  const [tokens, more] = [useForm(tokenForm, before), useForm(moreForm, before)];
  const pieces = useForm(pieceForm, before);
  const [rules, setRules] = useState<readonly RuleDraft[]>(() => ruleDraftsOf(view));
  const [windows, setWindows] = useState<readonly WindowDraft[]>(() => windowDraftsOf(view));
  const [low, setLow] = useState<readonly LowAmount[]>([]);
  const readPrice = () => {
    const filled = {
      tokens: tokens.body(),
      more: more.body(),
      pieces: pieces.body(),
      rules,
      windows,
    };
    return bodyOf(filled, view);
  };
  const save = useAction(async () => {
    const price = readPrice();
    const lowAmounts = await findLowAmounts(price);
    if (lowAmounts.length > 0) setLow(lowAmounts);
    else await writePrice(price, onClose);
  });
  const saveLow = useAction(async () => await writePrice(readPrice(), onClose));
  const { error } = save;
  return (
    <FormDialog
      title={model || words.set}
      submit={words.save}
      action={save}
      isWide
      onClose={onClose}
    >
      {offer}
      <p class="faint">{words.perMillion}</p>
      <FormFields forming={tokens} error={error} />
      <details open={isFilled(more)}>
        <summary>{words.more}</summary>
        <div class="stack">
          <FormFields forming={more} error={error} />
        </div>
      </details>
      <details open={windows.length > 0}>
        <summary>{words.hours}</summary>
        <div class="stack">
          <Hours windows={windows} onWindows={setWindows} />
        </div>
      </details>
      <details open={isFilled(pieces) || rules.length > 0}>
        <summary>{words.pieces}</summary>
        <div class="stack">
          <p class="faint">{words.perPiece}</p>
          <FormFields forming={pieces} error={error} />
          <Rules rules={rules} onRules={setRules} />
        </div>
      </details>
      {low.length > 0 && <ConfirmLow low={low} action={saveLow} onClose={() => setLow([])} />}
    </FormDialog>
  );
}

async function writePrice(price: PriceInput, onDone: () => void): Promise<void> {
  const saved = await send("POST /api/price", { body: price });
  refresh("/api/price", "/api/channel");
  showToast(t().saved(saved.model));
  onDone();
}

/** Empty for a model that is yet to be named: the gateway refuses that price itself. */
async function findLowAmounts(price: PriceInput): Promise<LowAmount[]> {
  if (!price.model || !may("money.read")) return [];
  const known = await get("GET /api/price/known", { query: { model: price.model } });
  return lowAmountsOf(price, known);
}

interface ConfirmLowOptions {
  low: readonly LowAmount[];
  action: Action<void>;
  onClose(): void;
}

function ConfirmLow({ low, action, onClose }: ConfirmLowOptions) {
  const words = t();
  return (
    <Confirm
      title={words.lowTitle}
      effect={`${low.map(lowText).join(" ")} ${words.lowHint}`}
      submit={words.saveLow}
      action={action}
      onClose={onClose}
    />
  );
}

function lowText({ name, micros, lowestMicros }: LowAmount): string {
  return t().lowAmount(t().amounts[name], fullMoney(micros), fullMoney(lowestMicros));
}

/** The percentages have a value of their own. */
function isFilled({ draft }: Forming): boolean {
  return Object.entries(draft).some(([name, typed]) => typed !== "" && !name.endsWith("_percent"));
}

interface RulesOptions {
  rules: readonly RuleDraft[];
  onRules(rules: readonly RuleDraft[]): void;
}

function Rules({ rules, onRules }: RulesOptions) {
  const words = t();
  const write = (at: number, rule: RuleDraft | null) =>
    onRules(rules.flatMap((one, index) => (index === at ? (rule ?? []) : one)));
  const labelOf = (name: (typeof ruleNames)[number]) =>
    conditionNames.some((one) => one === name)
      ? words[name as (typeof conditionNames)[number]]
      : words.amounts[name as (typeof amountNames)[number]];
  return (
    <fieldset class="rules">
      <legend>{words.rules}</legend>
      {rules.map((rule, at) => (
        <div key={at} class="rule">
          {ruleNames.map((name) => (
            <TextField
              key={name}
              label={labelOf(name)}
              value={rule[name] ?? ""}
              onInput={(text) => write(at, { ...rule, [name]: text })}
            />
          ))}
          <Button
            kind="plain"
            icon="trash"
            label={words.removeRule(at + 1)}
            onClick={() => write(at, null)}
          />
        </div>
      ))}
      <div>
        <Button isSmall icon="plus" onClick={() => onRules([...rules, {}])}>
          {words.addRule}
        </Button>
      </div>
    </fieldset>
  );
}
