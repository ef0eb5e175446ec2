// The form of a picture or a video: the fields that its model takes, as the gateway lists them.
import type { ModelView } from "../../../src/admin/contract.ts";
import { Select, TextField } from "../../kit/field.tsx";
import { isWrong, valueIn } from "./calls.ts";
import { change, fieldsOf, settings } from "./state.ts";
import { t } from "./words.ts";

type ModelField = ModelView["fields"][number];

export function MediaForm({ model }: { model: string }) {
  return (
    <div class="two">
      {fieldsOf(model).map((field) => (
        <MediaField key={field.name} field={field} />
      ))}
    </div>
  );
}

function MediaField({ field }: { field: ModelField }) {
  const words = t();
  const { name, min, max, usual, required } = field;
  const names: Readonly<Record<string, string>> = words.fields;
  const value = valueIn(settings.value, field);
  const set = (text: string) => change({ fields: { ...settings.value.fields, [name]: text } });
  const label = names[name] ?? name;
  const choices = choicesOf(field);
  const fault = value !== "" && isWrong(field, value) ? words.between(min ?? 0, max ?? 0) : null;
  const unset = required ? words.needed : usual === null ? words.byModel : words.usual(usual);
  if (choices.length === 0 || field.open) {
    return (
      <TextField
        {...{ label, fault, value }}
        placeholder={unset}
        onInput={set}
        suggestions={choices}
      />
    );
  }
  const texts: Readonly<Record<string, string>> = words.truths;
  const options = ["", ...choices].map((one) => [one, texts[one] ?? (one || unset)] as const);
  return <Select {...{ label, fault, value, options }} onChange={set} />;
}

const listedMax = 20;

/** A few numbers are chosen sooner than typed. */
function choicesOf({ values, min, max }: ModelField): readonly string[] {
  if (min === null || max === null || max - min >= listedMax) return values;
  return Array.from({ length: max - min + 1 }, (_, at) => String(min + at));
}
