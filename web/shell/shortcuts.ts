// Shortcuts of the keyboard that work everywhere.
import { useEffect } from "preact/hooks";
import { addressOf, go } from "../core/place.ts";
import { overlay } from "./overlays.ts";
import { shownPages } from "./shown-pages.ts";

const jumpMs = 1200;

/** Ctrl or Cmd K, `?`, and `g` with a page's letter; never while something is typed. */
export function useShortcuts(): void {
  useEffect(() => {
    let jumpUntilMs = 0;
    function press(event: KeyboardEvent): void {
      if (event.key.toLowerCase() === "k" && (event.metaKey || event.ctrlKey)) {
        event.preventDefault();
        overlay.value = "palette";
        return;
      }
      if (isTyping(event) || event.metaKey || event.ctrlKey || event.altKey) return;
      if (document.querySelector("dialog[open]")) return;
      if (event.key === "?") overlay.value = "shortcuts";
      else if (event.key === "g") jumpUntilMs = event.timeStamp + jumpMs;
      else if (event.timeStamp < jumpUntilMs) {
        jumpUntilMs = 0;
        const entry = shownPages().find(({ letter }) => letter === event.key);
        if (entry) go(addressOf(entry.name));
      }
    }
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}

function isTyping({ target }: KeyboardEvent): boolean {
  return (
    target instanceof HTMLElement && target.matches("input, textarea, select, [contenteditable]")
  );
}
