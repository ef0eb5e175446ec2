// Forms as tables of their fields. A field knows how a value of the API is typed and read back; its
// label and hint are the words of its name, and the fault that the API names stands under it.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Action, ApiError } from "../core/api.ts";
import { Button } from "./button.tsx";
import { Refusal } from "./failure.tsx";
import { faultOf } from "./field.tsx";
// Every form has fields: one file for both.
import "./form-fields.tsx";
import type { Draft, FormField, Typed } from "./form-fields.tsx";
import { t } from "./rest/words.ts";

type AnyField = FormField<string, never>;
/** A field, some of them in a row, or some behind a word. */
type Item<Field> = Field | { pair: readonly Field[] } | { more: readonly Item<Field>[] };

/** Every field of the body, of the kind that its value has. */
type FieldsOf<Body> = {
  [Name in keyof Body & string]-?: FormField<Name, NonNullable<Body[Name]>>;
}[keyof Body & string];

interface FormWords {
  fields?: Readonly<Record<string, string>>;
  hints?: Readonly<Record<string, string>>;
  more?: string;
}

export interface Form<Body, View> {
  items: readonly Item<AnyField>[];
  fields: readonly AnyField[];
  words: () => FormWords;
  /** Typed fields of a view, where they are not those of the same name. */
  from: ((view: View) => Partial<Record<string, unknown>>) | undefined;
  body?: Body;
}

/** `formOf<Body, View>()([...], t)`: a field that the body lacks or has otherwise is refused. */
export function formOf<Body, View extends object = object>() {
  return <const Items extends readonly Item<FieldsOf<Body>>[]>(
    items: Items,
    words: () => FormWords,
    from?: (view: View) => Partial<Record<keyof Body, unknown>>,
  ): Form<Body, View> => ({ items, fields: items.flatMap(fieldsIn), words, from });
}

function fieldsIn(item: Item<AnyField>): AnyField[] {
  if ("pair" in item) return [...item.pair];
  return "more" in item ? item.more.flatMap(fieldsIn) : [item];
}

export function useForm<Body, View extends object>(form: Form<Body, View>, view: View | null) {
  const [before] = useState<Draft>(() => draftOf(form, view));
  const [draft, setDraft] = useState(before);
  const isNew = view === null;
  const shown = form.fields.filter(({ isShown }) => isShown?.(isNew, draft) ?? true);
  return {
    form,
    draft,
    isNew,
    set: (some: Draft) => setDraft((old) => ({ ...old, ...some })),
    reset: () => setDraft(before),
    /** All that is filled in. */
    body: () => bodyOf<Body>(shown, draft, true),
    /** Fields that were changed; null takes one away. */
    changes: () =>
      bodyOf<Partial<Body>>(
        shown.filter(({ name }) => draft[name] !== before[name]),
        draft,
        false,
      ),
  };
}

function draftOf<Body, View extends object>(form: Form<Body, View>, view: View | null): Draft {
  const shown = { ...view, ...(view && form.from?.(view)) };
  const typed = form.fields.map(({ name, start = "", write }): [string, Typed] => {
    const value: unknown = Reflect.get(shown, name) ?? null;
    if (value === null) return [name, view === null ? start : ""];
    return [name, write(value as never)];
  });
  return Object.fromEntries(typed);
}

function bodyOf<Body>(fields: readonly AnyField[], draft: Draft, isWhole: boolean): Body {
  const pieces = fields.flatMap(({ name, read, whenEmpty }): [string, unknown][] => {
    const value = read(draft[name] ?? "");
    if (value !== null) return [[name, value]];
    return whenEmpty ? Object.entries(whenEmpty) : isWhole ? [] : [[name, null]];
  });
  return Object.fromEntries(pieces) as Body;
}

/** A form that is being filled in, whatever it is of. */
export interface Forming {
  form: { items: readonly Item<AnyField>[]; words: () => FormWords };
  draft: Draft;
  isNew: boolean;
  set(some: Draft): void;
}

interface FieldsOptions {
  forming: Forming;
  error: ApiError | null;
  /** Stands before the field of this name. */
  before?: Readonly<Record<string, ComponentChildren>>;
}

export function FormFields({ forming, error, before = {} }: FieldsOptions) {
  const { words } = forming.form;
  const show = (item: Item<AnyField>): ComponentChildren => {
    if ("pair" in item) {
      const shown = item.pair.filter(
        ({ isShown }) => isShown?.(forming.isNew, forming.draft) ?? true,
      );
      return shown.length > 0 && <div class="pair">{shown.map(show)}</div>;
    }
    if ("more" in item) {
      return (
        <details open={!forming.isNew}>
          <summary>{words().more}</summary>
          <div class="stack">{item.more.map(show)}</div>
        </details>
      );
    }
    return (
      <>
        {before[item.name]}
        <One key={item.name} {...{ item, forming, error }} />
      </>
    );
  };
  return <>{forming.form.items.map(show)}</>;
}

function One({ item, forming, error }: Omit<FieldsOptions, "before"> & { item: AnyField }) {
  const { form, draft, isNew, set } = forming;
  const { name, Show, isShown, isHidden, wrong } = item;
  if (isShown?.(isNew, draft) === false || isHidden?.(isNew)) return null;
  const words = form.words();
  const { fields = {}, hints = {} } = words;
  const usual: Readonly<Record<string, string>> = t().hints;
  const param = error?.param ?? "";
  const fault = faultOf(error, item.isFault?.(param) ? param : name);
  return (
    <Show
      label={item.label?.(isNew) ?? fields[name] ?? String(Reflect.get(words, name) ?? name)}
      hint={item.hint?.(isNew, draft) ?? hints[name] ?? usual[name]}
      fault={fault && (wrong?.(error?.code ?? null) ?? fault)}
      value={draft[name] ?? ""}
      onInput={(value) => set({ [name]: value })}
    />
  );
}

interface BoxOptions {
  action: Pick<Action<void>, "run" | "error" | "isBusy">;
  submit: string;
  isNarrow?: boolean;
  isMain?: boolean;
  isDisabled?: boolean;
  children: ComponentChildren;
}

/** A form within a page: its refusal and its button stand under it. */
export function FormBox({ action, submit, children, ...look }: BoxOptions) {
  const send = (event: Event) => {
    event.preventDefault();
    void action.run();
  };
  return (
    <form class={look.isNarrow ? "stack narrow" : "stack"} onSubmit={send}>
      {children}
      <Refusal error={action.error} />
      <span>
        <Button
          kind={look.isMain ? "main" : undefined}
          type="submit"
          isBusy={action.isBusy}
          isDisabled={look.isDisabled ?? false}
        >
          {submit}
        </Button>
      </span>
    </form>
  );
}
