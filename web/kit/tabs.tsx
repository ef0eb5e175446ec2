// A choice of a few that changes what a part shows.
import type { Options } from "./field.tsx";

export interface ChoiceOptions<Value extends string> {
  label: string;
  value: Value;
  options: Options<NoInfer<Value>>;
  onChange(value: NoInfer<Value>): void;
}

export function Segments<Value extends string>({
  label,
  value,
  options,
  onChange,
}: ChoiceOptions<Value>) {
  return (
    <div class="segments" role="group" aria-label={label}>
      {options.map(([name, text]) => (
        <button
          type="button"
          key={name}
          aria-pressed={name === value}
          onClick={() => onChange(name)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}
