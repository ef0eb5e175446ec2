// A sheet from the side with the details of one row: the list behind it stays where it is.
import type { ComponentChildren } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { Button } from "./button.tsx";
import { Overlay } from "./overlay.tsx";
import { t } from "./rest/words.ts";

interface DrawerOptions {
  title: string;
  /** Stands in place of the title, which then is only read out. */
  head?: ComponentChildren;
  isWide?: boolean;
  onClose(): void;
  /** To the neighbours in the list, also by K and J; undefined where there is none. */
  onPrevious?: (() => void) | undefined;
  onNext?: (() => void) | undefined;
  footer?: ComponentChildren;
  children: ComponentChildren;
}

export function Drawer(options: DrawerOptions) {
  const { title, head, isWide, onClose, onPrevious, onNext, footer, children } = options;
  // Before the next key can come: effects wait for a picture to be drawn.
  useLayoutEffect(() => {
    const walk = (event: KeyboardEvent) => {
      if (event.target instanceof HTMLElement && event.target.matches("input, textarea, select"))
        return;
      if (event.metaKey || event.ctrlKey || event.altKey) return;
      if (event.key === "j") onNext?.();
      else if (event.key === "k") onPrevious?.();
    };
    addEventListener("keydown", walk);
    return () => removeEventListener("keydown", walk);
  }, [onPrevious, onNext]);
  return (
    <Overlay kind={isWide ? "drawer wide" : "drawer"} label={title} onClose={onClose}>
      <header>
        {head ?? <h2 class="cut">{title}</h2>}
        <span class="push row">
          {(onPrevious || onNext) && (
            <>
              <Button
                kind="plain"
                icon="up"
                label={t().previous}
                isDisabled={!onPrevious}
                onClick={() => onPrevious?.()}
              />
              <Button
                kind="plain"
                icon="down"
                label={t().next}
                isDisabled={!onNext}
                onClick={() => onNext?.()}
              />
            </>
          )}
          <Button kind="plain" icon="close" label={t().close} onClick={onClose} />
        </span>
      </header>
      <div class="inside stack" tabIndex={0} role="region" aria-label={title}>
        {children}
      </div>
      {footer && <footer>{footer}</footer>}
    </Overlay>
  );
}
