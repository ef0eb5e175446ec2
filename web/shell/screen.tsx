// Frame of every page: the top bar with its title and tools, and the body.
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { page } from "../core/place.ts";
import { chooseLanguage, may, organisations, site } from "../core/session.ts";
import { isDark, setTheme } from "../core/theme.ts";
import { language, languages } from "../core/words.ts";
import { Button } from "../kit/button.tsx";
import { Icon } from "../kit/icon.tsx";
import { Menu } from "../kit/menu.tsx";
import { Checklist } from "./checklist.tsx";
import { Notices } from "./notices.tsx";
import { overlay } from "./overlays.ts";
import { ScopeSwitch } from "./scope-switch.tsx";
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
        {page.value === "overview" && may("channels.write") && <Checklist />}
        {children}
      </div>
    </>
  );
}

export function paletteKeys(): string {
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘K" : "Ctrl K";
}

/**
 * Language and theme, for those who are signed in and those who are not. On a phone the theme
 * leaves its place to the switch between organisations: the preferences have it too.
 */
export function Switches() {
  const name = isDark() ? t().lightTheme : t().darkTheme;
  const others = languages.filter(({ tag }) => tag !== language.value);
  return (
    <>
      <span class="wide">
        <Menu
          label={t().language}
          icon="language"
          isSmall={false}
          items={others.map(({ tag, name: label, locale: lang }) => {
            return { label, lang, run: () => void chooseLanguage(tag) };
          })}
        />
      </span>
      <span class={organisations.value.length > 0 ? "wide" : undefined}>
        <Button
          kind="plain"
          icon={isDark() ? "sun" : "moon"}
          label={name}
          onClick={() => setTheme(isDark() ? "light" : "dark")}
        />
      </span>
    </>
  );
}
