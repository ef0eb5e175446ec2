// A choice of a few that changes the part itself.
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import type { ChoiceOptions } from "../tabs.tsx";

/** The panel that belongs to the chosen tab is its child. */
export function Tabs<Value extends string>({
  label,
  value,
  options,
  onChange,
  children,
}: ChoiceOptions<Value> & { children: ComponentChildren }) {
  const id = useId();
  const walk = (event: KeyboardEvent) => {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const at = options.findIndex(([name]) => name === value);
    const next = options[(at + by + options.length) % options.length];
    if (by === 0 || !next) return;
    onChange(next[0]);
    document.getElementById(`${id}-${next[0]}`)?.focus();
  };
  return (
    <div class="stack">
      <div class="tablist" role="tablist" aria-label={label} onKeyDown={walk}>
        {options.map(([name, text]) => (
          <button
            key={name}
            id={`${id}-${name}`}
            type="button"
            role="tab"
            aria-selected={name === value}
            aria-controls={`${id}-panel`}
            tabIndex={name === value ? 0 : -1}
            onClick={() => onChange(name)}
          >
            {text}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" class="stack" aria-labelledby={`${id}-${value}`}>
        {children}
      </div>
    </div>
  );
}
