// A line that says what was done, for a few seconds, with a way back where there is one.
import { signal } from "@preact/signals";
import { render } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { Button } from "./button.tsx";
import { dialogsOpened } from "./overlay.tsx";
import { t } from "./words.ts";

interface Toast {
  id: number;
  text: string;
  undo?: () => void;
}

const toasts = signal<readonly Toast[]>([]);
const shownMs = 5000;
const shownMax = 3;
let last = 0;

export function showToast(text: string, undo?: () => void): void {
  const id = ++last;
  const toast = undo === undefined ? { id, text } : { id, text, undo };
  toasts.value = [...toasts.value.slice(1 - shownMax), toast];
  setTimeout(() => dismiss(id), undo === undefined ? shownMs : 2 * shownMs);
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter((one) => one.id !== id);
}

/** The page outside of an open dialog cannot be reached, so the lines move into the last one. */
export function mountToasts(): void {
  const host = document.createElement("div");
  render(<Toasts host={host} />, host);
}

function Toasts({ host }: { host: HTMLElement }) {
  const shown = toasts.value;
  const opened = dialogsOpened.value;
  useLayoutEffect(() => {
    const dialogs = document.querySelectorAll("dialog[open]");
    (dialogs[dialogs.length - 1] ?? document.body).append(host);
  }, [opened, shown.at(-1)?.id]);
  return (
    <div class="toasts" role="status">
      {shown.map(({ id, text, undo }) => (
        <div key={id} class="toast">
          <span class="wrap">{text}</span>
          <span class="push row">
            {undo && (
              <Button isSmall onClick={() => (dismiss(id), undo())}>
                {t().undo}
              </Button>
            )}
            <Button
              kind="plain"
              isSmall
              icon="close"
              label={t().dismiss}
              onClick={() => dismiss(id)}
            />
          </span>
        </div>
      ))}
    </div>
  );
}
