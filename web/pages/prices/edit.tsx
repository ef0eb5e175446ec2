// Setting a model's own price.
import type { PriceView } from "../../../src/admin/contract.ts";
import { refresh, useAction, type ApiError } from "../../core/api.ts";
import { send } from "../../core/control.ts";
import { Button } from "../../kit/button.tsx";
import { FormDialog } from "../../kit/dialog.tsx";
import { faultOf, TextField } from "../../kit/field.tsx";
import { showToast } from "../../kit/toast.tsx";
import {
  bodyOf,
  conditionNames,
  pieceNames,
  ruleNames,
  tokenNames,
  useDraft,
  type PriceForm,
  type RuleDraft,
} from "./draft.ts";
import { t } from "./words.ts";

interface EditOptions {
  /** Empty where it is yet to be named. */
  model: string;
  view: PriceView | null;
  onClose(): void;
}

export function EditPrice({ model, view, onClose }: EditOptions) {
  const words = t();
  const form = useDraft(model, view);
  const save = useAction(async () => {
    await send("POST /api/price", { body: bodyOf(form.draft, view) });
    refresh("/api/price", "/api/channel");
    showToast(t().saved(form.draft.model));
    onClose();
  });
  const { error } = save;
  return (
    <FormDialog
      title={model || words.set}
      submit={words.save}
      action={save}
      isWide
      onClose={onClose}
    >
      {model === "" && (
        <TextField
          label={words.model}
          value={form.draft.model}
          onInput={(text) => form.change({ model: text })}
          fault={faultOf(error, "model")}
          isMono
          isRequired
          hasFocus
        />
      )}
      <p class="faint">{words.perMillion}</p>
      <AmountFields {...{ form, error }} names={tokenNames.slice(0, 2)} />
      <details open={hasSome(form, tokenNames.slice(2)) || hasLengths(form)}>
        <summary>{words.more}</summary>
        <div class="stack">
          <AmountFields {...{ form, error }} names={tokenNames.slice(2)} />
          <Lengths {...{ form, error }} />
        </div>
      </details>
      <details open={hasSome(form, pieceNames) || form.draft.rules.length > 0}>
        <summary>{words.pieces}</summary>
        <div class="stack">
          <p class="faint">{words.perPiece}</p>
          <AmountFields {...{ form, error }} names={pieceNames} />
          <Rules form={form} />
        </div>
      </details>
    </FormDialog>
  );
}

function hasSome({ draft }: PriceForm, names: readonly string[]): boolean {
  return names.some((name) => draft.amounts[name]);
}

function hasLengths({ draft: { above, outputMax } }: PriceForm): boolean {
  return above !== "" || outputMax !== "";
}

interface FieldsOptions {
  form: PriceForm;
  error: ApiError | null;
}

type AmountName = (typeof tokenNames)[number] | (typeof pieceNames)[number];

function AmountFields({ form, error, names }: FieldsOptions & { names: readonly AmountName[] }) {
  const { amounts } = form.draft;
  return (
    <div class="pair">
      {names.map((name) => (
        <TextField
          key={name}
          label={t().amounts[name]}
          before="$"
          inputMode="decimal"
          value={amounts[name] ?? ""}
          onInput={(text) => form.change({ amounts: { ...amounts, [name]: text } })}
          fault={faultOf(error, name) && t().wrongAmount}
        />
      ))}
    </div>
  );
}

function Lengths({ form: { draft, change }, error }: FieldsOptions) {
  const words = t();
  const fields = [
    ["outputMax", "output_tokens_max"],
    ["above", "long_context.above_tokens"],
    ["inputPercent", "long_context.input_percent"],
    ["outputPercent", "long_context.output_percent"],
  ] as const;
  return (
    <div class="pair">
      {fields.map(([name, param]) => (
        <TextField
          key={name}
          label={words[name]}
          inputMode="numeric"
          value={draft[name]}
          onInput={(text) => change({ [name]: text })}
          fault={faultOf(error, param) && words.wrongNumber}
        />
      ))}
    </div>
  );
}

function Rules({ form: { draft, change } }: { form: PriceForm }) {
  const words = t();
  const { rules } = draft;
  const write = (at: number, rule: RuleDraft | null) =>
    change({ rules: rules.flatMap((one, index) => (index === at ? (rule ?? []) : one)) });
  const labelOf = (name: (typeof ruleNames)[number]) =>
    conditionNames.some((one) => one === name)
      ? words[name as (typeof conditionNames)[number]]
      : words.amounts[name as (typeof pieceNames)[number]];
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
        <Button isSmall icon="plus" onClick={() => change({ rules: [...rules, {}] })}>
          {words.addRule}
        </Button>
      </div>
    </fieldset>
  );
}
