// Frame of every page: the top bar with its title and tools, and the body.
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { page } from "../core/place.ts";
import { isAdmin, site } from "../core/session.ts";
import { isDark, setTheme } from "../core/theme.ts";
import { language, setLanguage } from "../core/words.ts";
import { Button } from "../kit/button.tsx";
import { Icon } from "../kit/icon.tsx";
import { Checklist } from "./checklist.tsx";
import { Notices } from "./notices.tsx";
import { overlay } from "./overlays.ts";
import { t } from "./words.ts";

interface ScreenOptions {
  title: string;
  /** Tools of the page, in the top bar: a range, a button that makes something. */
  tools?: ComponentChildren;
  children: ComponentChildren;
}

export function Screen({ title, tools, children }: ScreenOptions) {
  useEffect(() => {
    document.title = `${title} · ${site.value?.name ?? "Sluice"}`;
  }, [title, site.value]);
  return (
    <>
      <header class="top">
        <h1 class="cut">{title}</h1>
        <span class="push" />
        {tools}
        <button type="button" class="button jump" onClick={() => (overlay.value = "palette")}>
          <Icon name="search" />
          {t().jump}
          <kbd class="push">{paletteKeys()}</kbd>
        </button>
        <Switches />
      </header>
      <div class="body" id="content" tabIndex={-1}>
        <Notices />
        {page.value === "overview" && isAdmin() && <Checklist />}
        {children}
      </div>
    </>
  );
}

export function paletteKeys(): string {
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘K" : "Ctrl K";
}

/** Language and theme, for those who are signed in and those who are not. */
export function Switches() {
  const name = isDark() ? t().lightTheme : t().darkTheme;
  const other = language.value === "zh" ? "en" : "zh";
  return (
    <>
      <span class="wide" lang={other === "zh" ? "zh-CN" : "en"}>
        <Button kind="plain" onClick={() => setLanguage(other)}>
          {t().otherLanguage}
        </Button>
      </span>
      <Button
        kind="plain"
        icon={isDark() ? "sun" : "moon"}
        label={name}
        onClick={() => setTheme(isDark() ? "light" : "dark")}
      />
    </>
  );
}
