// Kinds of fields that forms are made of.
import type { ComponentType } from "preact";
import {
  readDollars,
  readMoment,
  readNames,
  readWhole,
  writeDollars,
  writeMoment,
} from "../core/amounts.ts";
import { Check, PasswordField, Select, TextArea, TextField, type Options } from "./field.tsx";
import { common } from "./page-words.ts";

export type Typed = string | boolean;
/** Fields as they are typed, by name. */
export type Draft = Readonly<Record<string, Typed>>;

interface ShownField {
  label: string;
  hint: string | undefined;
  fault: string | null;
  value: Typed;
  onInput(value: Typed): void;
}

export interface Extras {
  /** Sent even when it is empty, for the gateway to judge. */
  isRequired?: boolean;
  hasFocus?: boolean;
  isMono?: boolean;
  maxLength?: number;
  type?: "text" | "url";
  autoComplete?: string;
  /** Typed before anyone types, in a new one. */
  start?: Typed;
  /** Condition for it to be part of the form at all. */
  isShown?(isNew: boolean, draft: Draft): boolean;
  /** Sent as it is, and not shown. */
  isHidden?(isNew: boolean): boolean;
  /** In place of the words of its name. */
  label?(isNew: boolean): string;
  hint?(isNew: boolean, draft: Draft): string | undefined;
  /** Sent in place of what is empty; otherwise null is, which takes it away. */
  whenEmpty?: Readonly<Record<string, unknown>>;
  /** In place of the gateway's words for a code, where people type something else than it takes. */
  wrong?(code: string | null): string;
  placeholder?(): string;
  /** Faults that are its own, where the gateway names them otherwise. */
  isFault?(param: string): boolean;
}

export interface FormField<Name extends string = string, Value = never> extends Extras {
  name: Name;
  write(value: Value): Typed;
  /** Null for nothing. What is wrong stays as it was typed: the gateway says so. */
  read(typed: Typed): unknown;
  Show: ComponentType<ShownField>;
}

interface Kind<Value> {
  write(value: Value): string;
  read(text: string): unknown;
  wrong?(): string;
  before?: string;
  inputMode?: "numeric" | "decimal";
  type?: "datetime-local";
}

/** A field of one line. */
function lineField<const Name extends string, Value>(
  name: Name,
  { write, read, wrong, ...look }: Kind<Value>,
  extras: Extras,
): FormField<Name, Value> {
  const { isRequired = false, hasFocus = false, isMono = false, maxLength, type } = extras;
  const { autoComplete } = extras;
  const plain = { isRequired, hasFocus, isMono, autoComplete, ...(maxLength && { maxLength }) };
  return {
    name,
    write,
    read: (typed) => {
      const text = String(typed).trim();
      return text === "" ? (isRequired ? text : null) : read(text);
    },
    ...(wrong && { wrong }),
    ...extras,
    Show: ({ value, ...one }) => (
      <TextField
        {...one}
        value={String(value)}
        {...plain}
        {...(type && { type })}
        {...look}
        placeholder={extras.placeholder?.()}
      />
    ),
  };
}

export function text<const Name extends string>(
  name: Name,
  extras: Extras = {},
): FormField<Name, string> {
  return lineField(name, { write: String, read: String }, extras);
}

export function money<const Name extends string>(
  name: Name,
  extras: Extras = {},
): FormField<Name, number> {
  const read = (typed: string) => readDollars(typed) ?? typed;
  const look = { before: "$", inputMode: "decimal" } as const;
  return lineField(
    name,
    { write: writeDollars, read, wrong: () => common().wrongAmount, ...look },
    extras,
  );
}

export function whole<const Name extends string>(
  name: Name,
  extras: Extras = {},
): FormField<Name, number> {
  const read = (typed: string) => readWhole(typed) ?? typed;
  const wrong = () => common().wrongNumber;
  return lineField(name, { write: String, read, wrong, inputMode: "numeric" }, extras);
}

/** With a sign or decimals. */
export function decimal<const Name extends string>(
  name: Name,
  extras: Extras = {},
): FormField<Name, number> {
  const read = (typed: string) => (Number.isNaN(Number(typed)) ? typed : Number(typed));
  const wrong = () => common().wrongNumber;
  return lineField(name, { write: String, read, wrong, inputMode: "decimal" }, extras);
}

export function moment<const Name extends string>(
  name: Name,
  extras: Extras = {},
): FormField<Name, number> {
  return lineField(name, { write: writeMoment, read: readMoment, type: "datetime-local" }, extras);
}

/** Names with commas between. */
export function names<const Name extends string>(
  name: Name,
  extras: Extras = {},
): FormField<Name, string[]> {
  return lineField(name, { write: (all: string[]) => all.join(", "), read: readNames }, extras);
}

/** The limits of a key, a person or a group. */
export function rates(extras: Extras = {}) {
  const all = { placeholder: () => common().noLimit, ...extras };
  const [requests, tokens] = [whole("requests_per_minute", all), whole("tokens_per_minute", all)];
  return { pair: [requests, tokens, whole("concurrency", all)] } as const;
}

/** Those of each key of a channel. */
export function keyRates() {
  const all = { placeholder: () => common().noLimit };
  const [requests, tokens] = [
    whole("key_requests_per_minute", all),
    whole("key_tokens_per_minute", all),
  ];
  return { pair: [requests, tokens] } as const;
}

type AreaExtras = Extras & { rows?: number; isMasked?: boolean };

/** A field of several lines. */
export function area<const Name extends string>(
  name: Name,
  extras: AreaExtras = {},
): FormField<Name, string> {
  return areaOf(name, { write: String, read: String }, extras);
}

/** The same, of what is written in lines. */
export function areaOf<const Name extends string, Value>(
  name: Name,
  { write, read }: Pick<Kind<Value>, "write" | "read">,
  { rows = 4, isMono = false, isMasked = false, ...extras }: AreaExtras,
): FormField<Name, Value> {
  return {
    name,
    write,
    read: (typed) => (typed === "" && !extras.isRequired ? null : read(String(typed))),
    ...extras,
    Show: ({ value, ...one }) => (
      <TextArea {...one} value={String(value)} {...{ rows, isMono, isMasked }} />
    ),
  };
}

/** Names, one a line. */
export function lines<const Name extends string>(
  name: Name,
  extras: AreaExtras = {},
): FormField<Name, string[]> {
  const kind = { write: (all: string[]) => all.join("\n"), read: readNames };
  return areaOf(name, kind, { rows: 2, isMono: true, ...extras });
}

export function password<const Name extends string>(
  name: Name,
  extras: Extras = {},
): FormField<Name, string> {
  return {
    name,
    write: () => "",
    read: (typed) => (typed === "" ? null : typed),
    ...extras,
    Show: ({ value, ...one }) => (
      <PasswordField
        {...one}
        value={String(value)}
        autoComplete={extras.autoComplete ?? "new-password"}
        isRequired={extras.isRequired ?? false}
        hasFocus={extras.hasFocus ?? false}
      />
    ),
  };
}

/** On for the second of two values. */
export function check<const Name extends string, const Value>(
  name: Name,
  [off, on]: readonly [off: Value, on: Value],
  extras: Extras = {},
): FormField<Name, Value> {
  return {
    name,
    write: (value) => value === on,
    read: (typed) => (typed === true ? on : off),
    ...extras,
    Show: ({ label, hint, value, onInput }) => (
      <Check
        {...{ label }}
        {...(hint !== undefined && { hint })}
        isOn={value === true}
        onChange={onInput}
      />
    ),
  };
}

/** One of some words. The options may be asked for: it is called as a hook. */
export function select<const Name extends string, Value extends string>(
  name: Name,
  useOptions: () => Options<Value | "">,
  extras: Extras = {},
): FormField<Name, Value> {
  return {
    name,
    write: String,
    read: (typed) => typed || null,
    ...extras,
    Show: ({ value, onInput, ...one }) => {
      const options = useOptions();
      const shown = String(value) || (options[0]?.[0] ?? "");
      return <Select<string> {...one} value={shown} options={options} onChange={onInput} />;
    },
  };
}
