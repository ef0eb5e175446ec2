// The platform's own dialog: it keeps the focus inside, closes on Escape and gives the focus back.
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** Counts each opening and each closing. */
export const dialogsOpened = signal(0);

interface OverlayOptions {
  kind: string;
  label: string;
  /** Neither Escape nor a click outside closes it. */
  isFixed?: boolean;
  onClose(): void;
  children: ComponentChildren;
}

export function Overlay({ kind, label, isFixed = false, onClose, children }: OverlayOptions) {
  const dialog = useRef<HTMLDialogElement>(null);
  // At once: whoever opens it by a key types on without a pause.
  useLayoutEffect(() => {
    const shown = dialog.current;
    const typing = document.activeElement;
    const above = kind.startsWith("drawer") ? [...openSheets()] : [];
    shown?.showModal();
    // The first field if there is one; otherwise the dialog itself, so that it is read out.
    if (!shown?.querySelector("[autofocus]")) shown?.focus();
    if (above.length > 0) raise(above, typing);
    dialogsOpened.value++;
    return () => {
      shown?.close();
      dialogsOpened.value++;
    };
  }, []);
  const outside = (event: MouseEvent) => {
    if (event.target === dialog.current && !isFixed) onClose();
  };
  const cancel = (event: Event) => {
    event.preventDefault();
    if (!isFixed) onClose();
  };
  return (
    <dialog
      ref={dialog}
      class={kind}
      tabIndex={-1}
      aria-label={label}
      onCancel={cancel}
      onMouseDown={outside}
    >
      {children}
    </dialog>
  );
}

const openSheets = () => document.querySelectorAll<HTMLDialogElement>("dialog.sheet[open]");

/** A drawer opens when what it shows has come; what a person opened meanwhile stays above it. */
function raise(sheets: Iterable<HTMLDialogElement>, typing: Element | null): void {
  for (const sheet of sheets) {
    sheet.close();
    sheet.showModal();
  }
  if (typing instanceof HTMLElement) typing.focus();
}
