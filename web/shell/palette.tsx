// Palette: its field is there at once, since whoever opens it types on. The choices below it are
// fetched when it is first opened.
import { useRef, useState } from "preact/hooks";
import { may } from "../core/session.ts";
import { later } from "../kit/later.tsx";
import { Overlay } from "../kit/overlay.tsx";
import { closeOverlay } from "./overlays.ts";
import type { PaletteKeys } from "./palette-choices.tsx";
import { t } from "./words.ts";

const Choices = later(async () => (await import("./palette-choices.tsx")).Choices);

export function Palette() {
  const [text, setText] = useState("");
  const [marked, setMarked] = useState<string>();
  const keys: PaletteKeys = useRef(null);
  const press = (event: KeyboardEvent) => {
    if (typeof keys.current === "function") keys.current(event);
    else keys.current = event.key === "Enter" && !event.isComposing ? "enter" : null;
  };
  return (
    <Overlay kind="sheet" label={t().jump} onClose={closeOverlay}>
      <div class="palette">
        <input
          autofocus
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={marked}
          aria-label={t().jump}
          placeholder={may("people.read") ? t().jumpHint : t().jump}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={press}
        />
        <Choices text={text.trim()} keys={keys} onMark={setMarked} />
      </div>
    </Overlay>
  );
}
