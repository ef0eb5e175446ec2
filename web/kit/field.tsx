// Fields of forms. The server is what judges: the fault that it names stands under its field.
import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import type { ApiError } from "../core/api.ts";
import { refusalText } from "../core/refusals.ts";
import { Button } from "./button.tsx";
import { t } from "./words.ts";

interface FieldOptions {
  label: string;
  hint?: string | undefined;
  /** Fault of the value. */
  fault?: string | null | undefined;
}

interface Wiring {
  id: string;
  "aria-invalid": boolean;
  "aria-describedby": string | undefined;
}

/** The refusal's words where it is about this field. */
export function faultOf(error: ApiError | null, ...params: string[]): string | null {
  return error?.param && params.includes(error.param) ? refusalText(error) : null;
}

/** Label, hint and fault around any control. */
export function Field({
  label,
  hint,
  fault,
  children,
}: FieldOptions & { children(wiring: Wiring): ComponentChildren }) {
  const id = useId();
  const isWrong = fault !== null && fault !== undefined;
  const described = isWrong || hint !== undefined ? `${id}-note` : undefined;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, "aria-invalid": isWrong, "aria-describedby": described })}
      {described && (
        <span id={described} class={isWrong ? "fault" : "hint"}>
          {isWrong ? fault : hint}
        </span>
      )}
    </div>
  );
}

export interface TextFieldOptions extends FieldOptions {
  value: string;
  onInput(value: string): void;
  type?: "text" | "password" | "number" | "search" | "url" | "datetime-local" | "date";
  placeholder?: string | undefined;
  autoComplete?: string | undefined;
  isRequired?: boolean;
  isDisabled?: boolean;
  hasFocus?: boolean;
  /** Before and after what is typed: `$`, `per minute`. */
  before?: string;
  after?: string;
  isMono?: boolean;
  inputMode?: "numeric" | "decimal" | "text";
  maxLength?: number;
  /** Offered while one types; anything else may be typed too. */
  suggestions?: readonly string[];
}

export function TextField(options: TextFieldOptions) {
  const { label, hint, fault, before, after } = options;
  return (
    <Field {...{ label, hint, fault }}>
      {(wiring) => {
        const isAffixed = before !== undefined || after !== undefined;
        const input = <Input {...options} wiring={wiring} isBare={isAffixed} />;
        if (!isAffixed) return input;
        return (
          <div class="input affixed">
            {before !== undefined && (
              <span class="faint" aria-hidden="true">
                {before}
              </span>
            )}
            {input}
            {after !== undefined && <span class="faint">{after}</span>}
          </div>
        );
      }}
    </Field>
  );
}

function Input({
  wiring,
  isBare,
  ...options
}: TextFieldOptions & { wiring: Wiring; isBare: boolean }) {
  // The types of the platform know each kind apart; what is set here all of them have.
  const type = (options.type ?? "text") as "text";
  const list = options.suggestions?.length ? `${wiring.id}-list` : undefined;
  const input = (
    <input
      {...wiring}
      list={list}
      class={`${isBare ? "" : "input"}${options.isMono ? " mono" : ""}`}
      type={type}
      value={options.value}
      placeholder={options.placeholder}
      autocomplete={options.autoComplete ?? "off"}
      required={options.isRequired}
      disabled={options.isDisabled}
      autofocus={options.hasFocus}
      inputMode={options.inputMode}
      maxLength={options.maxLength}
      spellcheck={false}
      onInput={(event) => options.onInput(event.currentTarget.value)}
    />
  );
  if (list === undefined) return input;
  return (
    <>
      {input}
      <datalist id={list}>
        {options.suggestions?.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </>
  );
}

/** A password that can be looked at while it is typed. */
export function PasswordField(options: Omit<TextFieldOptions, "type" | "before" | "after">) {
  const [isShown, setShown] = useState(false);
  const { label, hint, fault } = options;
  const name = isShown ? t().hide : t().show;
  return (
    <Field {...{ label, hint, fault }}>
      {(wiring) => (
        <div class="input affixed">
          <Input {...options} type={isShown ? "text" : "password"} wiring={wiring} isBare />
          <Button kind="plain" isSmall onClick={() => setShown(!isShown)}>
            {name}
          </Button>
        </div>
      )}
    </Field>
  );
}

interface TextAreaOptions extends FieldOptions {
  value: string;
  onInput(value: string): void;
  rows?: number;
  isMono?: boolean;
  /** A secret: dots stand for its letters until one asks to see them. */
  isMasked?: boolean;
  placeholder?: string;
  isDisabled?: boolean;
}

export function TextArea({
  value,
  onInput,
  rows = 4,
  isMono,
  isMasked = false,
  placeholder,
  isDisabled,
  ...field
}: TextAreaOptions) {
  const [isShown, setShown] = useState(!isMasked);
  return (
    <Field {...field}>
      {(wiring) => (
        <>
          <textarea
            {...wiring}
            class={`input${isMono ? " mono" : ""}${isShown ? "" : " masked"}`}
            rows={rows}
            value={value}
            placeholder={placeholder}
            disabled={isDisabled}
            spellcheck={false}
            autocomplete="off"
            onInput={(event) => onInput(event.currentTarget.value)}
          />
          {isMasked && (
            <Button kind="plain" isSmall onClick={() => setShown(!isShown)}>
              {isShown ? t().hide : t().show}
            </Button>
          )}
        </>
      )}
    </Field>
  );
}

export type Options<Value extends string> = readonly (readonly [value: Value, label: string])[];

/** Options of words by their values. */
export function wordsOf<Value extends string>(words: Readonly<Record<Value, string>>) {
  return Object.entries(words) as [Value, string][];
}

interface SelectOptions<Value extends string> extends FieldOptions {
  value: Value;
  options: Options<NoInfer<Value>>;
  onChange(value: Value): void;
  isDisabled?: boolean;
}

export function Select<Value extends string>({
  value,
  options,
  onChange,
  isDisabled,
  ...field
}: SelectOptions<Value>) {
  return (
    <Field {...field}>
      {(wiring) => <Choice {...{ wiring, value, options, onChange, isDisabled }} />}
    </Field>
  );
}

/** A select among a page's filters, whose label is only for those who cannot see it. */
export function FilterSelect<Value extends string>({
  label,
  ...rest
}: Pick<SelectOptions<Value>, "label" | "value" | "options" | "onChange">) {
  return (
    <div>
      <Choice {...rest} name={label} />
    </div>
  );
}

type ChoiceOptions<Value extends string> = Pick<
  SelectOptions<Value>,
  "value" | "options" | "onChange"
> & { wiring?: Wiring; name?: string; isDisabled?: boolean | undefined };

function Choice<Value extends string>({
  wiring,
  name,
  value,
  options,
  onChange,
  isDisabled,
}: ChoiceOptions<Value>) {
  const choose = (text: string) => {
    const option = options.find(([one]) => one === text);
    if (option) onChange(option[0]);
  };
  return (
    <select
      {...wiring}
      class="input"
      aria-label={name}
      value={value}
      disabled={isDisabled}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      {options.map(([one, text]) => (
        <option key={one} value={one}>
          {text}
        </option>
      ))}
    </select>
  );
}

interface CheckOptions {
  label: string;
  hint?: string;
  isOn: boolean;
  isDisabled?: boolean;
  onChange(isOn: boolean): void;
}

export function Check({ label, hint, isOn, isDisabled, onChange }: CheckOptions) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={isOn}
        disabled={isDisabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>
        {label}
        {hint !== undefined && <span class="hint">{hint}</span>}
      </span>
    </label>
  );
}
