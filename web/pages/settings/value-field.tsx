// A field for a value of any schema that settings have: words, numbers, lists, and maps of them.
import type { ApiError } from "../../core/api.ts";
import { Button } from "../../kit/button.tsx";
import { Check, faultOf, PasswordField, Select, TextArea, TextField } from "../../kit/field.tsx";
import {
  choicesOf,
  choiceText,
  isFields,
  isRequired,
  itemsOf,
  kindOf,
  propertiesOf,
  valueOf,
  type Schema,
} from "./draft.ts";
import { fieldLabel } from "./labels/words.ts";
import { textOf, type Value } from "./text.ts";
import { unitExamples, writeInUnit } from "./units.ts";
import { t } from "./words.ts";

interface ValueOptions {
  /** Place of the value, as a refusal names it. */
  param: string;
  label: string;
  schema: Schema;
  value: Value;
  error: ApiError | null;
  isDisabled?: boolean;
  /** It may be left out. */
  isOptional?: boolean;
  hint?: string | undefined;
  onChange(value: Value): void;
}

/** Fields that hold a secret, whatever setting they are of. */
const secretNames = new Set(["secret", "password", "client_secret", "hook_url"]);
const hidden = "[secret]";

export function ValueField(options: ValueOptions) {
  const { param, label, schema, value, error, hint, onChange, isDisabled = false } = options;
  const fault = faultOf(error, param);
  const kind = kindOf(schema);
  const field = { label, hint, fault };
  if (kind === "flag") {
    return (
      <Check
        label={label}
        {...(hint !== undefined && { hint })}
        isOn={value === true}
        {...{ isDisabled, onChange }}
      />
    );
  }
  if (kind === "choice") return <ChoiceField {...options} />;
  if (kind === "choices") return <ChoicesField {...options} />;
  if (kind === "fields") return <MapField {...options} />;
  if (kind === "list") return <ListField {...options} />;
  if (kind === "lines") {
    const text = Array.isArray(value) ? value.map(textOf).join("\n") : textOrNothing(value);
    const note = hint === undefined ? t().onePerLine : `${hint} ${t().onePerLine}`;
    return (
      <TextArea {...field} hint={note} isMono value={text} onInput={onChange} {...{ isDisabled }} />
    );
  }
  const typed = { ...field, value: textOrNothing(value), onInput: onChange, isDisabled };
  if (kind === "number") {
    const examples = unitExamples(param);
    if (examples === null) return <TextField {...typed} inputMode="numeric" isMono />;
    return <TextField {...typed} hint={unitHint(options, examples)} isMono />;
  }
  const name = param.split(".").at(-1) ?? "";
  if (secretNames.has(name)) {
    const note = value === hidden ? t().keptSecret : hint;
    return (
      <PasswordField
        {...typed}
        hint={note}
        value={value === hidden ? "" : typed.value}
        placeholder={value === hidden ? "••••••••" : undefined}
      />
    );
  }
  const isLong = Number(schema["maxLength"] ?? 0) > 200 && name !== "ca_file" && name !== "scope";
  return isLong ? <TextArea {...typed} rows={3} /> : <TextField {...typed} />;
}

/** Meaning of a number, and how else it may be typed. */
function unitHint({ param, schema, value, hint }: ValueOptions, examples: string): string {
  const number = valueOf(schema, value, param) ?? null;
  const meaning = writeInUnit(param, number);
  return [hint, meaning !== null && `= ${meaning}.`, t().inUnits(examples)]
    .filter(Boolean)
    .join(" ");
}

function textOrNothing(value: Value): string {
  return value === null ? "" : textOf(value);
}

function ChoiceField({ label, hint, schema, value, isOptional, param, ...rest }: ValueOptions) {
  const { error, onChange, isDisabled = false } = rest;
  const words = [...choicesOf(schema).keys()];
  const options = [...(isOptional ? [["", t().usual] as const] : []), ...words.map(toOption)];
  return (
    <Select
      fault={faultOf(error, param)}
      value={textOrNothing(value)}
      onChange={onChange}
      {...{ label, hint, options, isDisabled }}
    />
  );
}

const toOption = (word: string) => [word, choiceText(word)] as const;

/** Several words of some; none chosen leaves it out. */
function ChoicesField({ label, hint, schema, value, onChange, isDisabled = false }: ValueOptions) {
  const chosen = Array.isArray(value) ? value : [];
  const set = (word: string, isOn: boolean) => {
    const next = isOn ? [...chosen, word] : chosen.filter((one) => one !== word);
    onChange(next.length === 0 ? null : next);
  };
  return (
    <fieldset class="stack fields">
      <legend>{label}</legend>
      {hint !== undefined && <span class="hint">{hint}</span>}
      {[...choicesOf(itemsOf(schema)).keys()].map((word) => (
        <Check
          key={word}
          label={choiceText(word)}
          isOn={chosen.includes(word)}
          isDisabled={isDisabled}
          onChange={(isOn) => set(word, isOn)}
        />
      ))}
    </fieldset>
  );
}

function MapField({ param, schema, value, error, onChange, isDisabled = false }: ValueOptions) {
  const fields = isFields(value) ? value : {};
  return (
    <div class="stack">
      {propertiesOf(schema).map(([name, inner]) => (
        <ValueField
          key={name}
          param={`${param}.${name}`}
          label={fieldLabel(`${param}.${name}`)}
          hint={typeof inner["description"] === "string" ? inner["description"] : undefined}
          schema={inner}
          value={fields[name] ?? null}
          isOptional={!isRequired(schema, name)}
          onChange={(next) => onChange({ ...fields, [name]: next })}
          {...{ error, isDisabled }}
        />
      ))}
    </div>
  );
}

function ListField({
  label,
  param,
  schema,
  value,
  error,
  onChange,
  isDisabled = false,
}: ValueOptions) {
  const list = Array.isArray(value) ? value : [];
  const fault = faultOf(error, param);
  const put = (at: number, next: Value) =>
    onChange(list.map((one, other) => (other === at ? next : one)));
  return (
    <div class="stack">
      {fault !== null && (
        <p class="notice bad" role="alert">
          {fault}
        </p>
      )}
      {list.map((one, at) => {
        const title =
          (isFields(one) && typeof one["name"] === "string" && one["name"]) || t().numbered(at + 1);
        return (
          <fieldset key={at} class="stack fields">
            <legend>{title}</legend>
            <MapField
              param={`${param}.${at}`}
              schema={itemsOf(schema)}
              value={one}
              onChange={(next) => put(at, next)}
              {...{ label, error, isDisabled }}
            />
            {!isDisabled && (
              <span>
                <Button
                  kind="plain"
                  icon="trash"
                  isSmall
                  onClick={() => onChange(list.filter((_, other) => other !== at))}
                >
                  {t().removeNamed(title)}
                </Button>
              </span>
            )}
          </fieldset>
        );
      })}
      {!isDisabled && (
        <span>
          <Button icon="plus" onClick={() => onChange([...list, {}])}>
            {t().addOne}
          </Button>
        </span>
      )}
    </div>
  );
}
