// A menu behind a button, in the platform's popover: it closes by itself, and arrow keys walk it.
import { useId, useRef } from "preact/hooks";
import { Button, type ButtonOptions } from "./button.tsx";
import { Icon, type IconName } from "./icon.tsx";
import { t } from "./words.ts";

export interface MenuItem {
  label: string;
  icon?: IconName;
  /** Language of the label, where it is not the page's. */
  lang?: string;
  isDanger?: boolean;
  run(): void;
}

interface MenuOptions extends Pick<ButtonOptions, "kind" | "icon" | "isSmall" | "children"> {
  items: readonly (MenuItem | null | false)[];
  label?: string;
}

export function Menu({
  items,
  label = t().more,
  kind = "plain",
  icon = "more",
  isSmall = true,
  children,
}: MenuOptions) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const shown = items.filter((item): item is MenuItem => item !== null && item !== false);
  const open = (event: MouseEvent) => {
    event.stopPropagation();
    const button = event.currentTarget;
    if (list.current && button instanceof HTMLElement) place(list.current, button);
  };
  const choose = (item: MenuItem) => (event: MouseEvent) => {
    event.stopPropagation();
    list.current?.hidePopover();
    item.run();
  };
  if (shown.length === 0) return null;
  return (
    <>
      <Button {...{ kind, icon, isSmall, label, children }} onClick={open} />
      <div
        ref={list}
        id={id}
        popover="auto"
        class="menu"
        role="menu"
        aria-label={label}
        onKeyDown={walk}
      >
        {shown.map((item) => (
          <button
            key={item.label}
            type="button"
            role="menuitem"
            class={item.isDanger ? "bad" : ""}
            lang={item.lang}
            onClick={choose(item)}
          >
            {item.icon && <Icon name={item.icon} />}
            {item.label}
          </button>
        ))}
      </div>
    </>
  );
}

/** Below the button, or above it where there is no room; never off the screen. */
function place(list: HTMLElement, button: HTMLElement): void {
  list.showPopover();
  const at = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = list;
  const left = Math.max(8, Math.min(at.right - width, innerWidth - width - 8));
  const isBelow = at.bottom + height + 8 < innerHeight;
  list.style.left = `${left}px`;
  list.style.top = `${isBelow ? at.bottom + 4 : Math.max(8, at.top - height - 4)}px`;
  list.querySelector<HTMLElement>("[role=menuitem]")?.focus();
}

function walk(event: KeyboardEvent): void {
  event.stopPropagation();
  const list = event.currentTarget;
  const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (by === 0 || !(list instanceof HTMLElement)) return;
  event.preventDefault();
  const all = [...list.querySelectorAll<HTMLElement>("[role=menuitem]")];
  const at = all.findIndex((one) => one === document.activeElement);
  all[(at + by + all.length) % all.length]?.focus();
}
