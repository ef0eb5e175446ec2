// Shortcuts of the keyboard that work everywhere, and the list of them.
import { useEffect } from "preact/hooks";
import { addressOf, go } from "../core/place.ts";
import { Dialog } from "../kit/dialog.tsx";
import { titleOf } from "../pages/titles.ts";
import { shownPages } from "./nav.tsx";
import { closeOverlay, overlay } from "./overlays.ts";
import { paletteKeys } from "./screen.tsx";
import { t } from "./words.ts";

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

export function Shortcuts() {
  const words = t().keys;
  const jumps = shownPages().flatMap(({ name, letter }) =>
    letter === undefined ? [] : [[`g ${letter}`, words.jump(titleOf(name))] as const],
  );
  const rows = [
    [paletteKeys(), words.palette],
    ["/", words.search],
    ["J K", words.walk],
    ["Esc", words.close],
    ...jumps,
    ["?", words.help],
  ] as const;
  return (
    <Dialog title={t().shortcuts} onClose={closeOverlay}>
      <dl class="shortcuts">
        {rows.map(([keys, text]) => [
          <dt key={keys}>
            <kbd>{keys}</kbd>
          </dt>,
          <dd key={`${keys}:`}>{text}</dd>,
        ])}
      </dl>
    </Dialog>
  );
}
