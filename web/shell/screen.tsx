// Frame of every page: the top bar with its title and tools, and the body.
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { site } from "../core/session.ts";
import { Icon } from "../kit/icon.tsx";
import { Notices } from "./notices.tsx";
import "./page-parts.ts";
import { overlay } from "./overlays.ts";
import { ScopeSwitch } from "./scope-switch.tsx";
import { Switches } from "./switches.tsx";
import { t } from "./words.ts";

interface ScreenOptions {
  title: string;
  /** Tools of the page, in the top bar: a range, a button that makes something. */
  tools?: ComponentChildren;
  /** The page's own file is on its way. */
  isComing?: boolean;
  children: ComponentChildren;
}

export function Screen({ title, tools, isComing = false, children }: ScreenOptions) {
  useEffect(() => {
    document.title = `${title} · ${site.value?.name ?? "Sluice"}`;
  }, [title, site.value]);
  return (
    <>
      <header class="top">
        <h1 class="cut">{title}</h1>
        <span class="push" />
        {tools}
        <ScopeSwitch />
        <button type="button" class="button jump" onClick={() => (overlay.value = "palette")}>
          <Icon name="search" />
          {t().jump}
          <kbd class="push">{paletteKeys()}</kbd>
        </button>
        <Switches />
      </header>
      <div class="body" id="content" tabIndex={-1} aria-busy={isComing}>
        <Notices />
        {children}
      </div>
    </>
  );
}

export function paletteKeys(): string {
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘K" : "Ctrl K";
}
