// List of the shortcuts of the keyboard.
import { Dialog } from "../kit/dialog.tsx";
import { titleOf } from "../pages/titles.ts";
import { closeOverlay } from "./overlays.ts";
import { paletteKeys } from "./screen.tsx";
import { shownPages } from "./shown-pages.ts";
import { t } from "./later-words.ts";

export function ShortcutList() {
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
