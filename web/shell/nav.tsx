// The menu: by role, with what is there. What someone may not see is not shown.
import { addressOf, page } from "../core/place.ts";
import { scope } from "../core/scope.ts";
import { self, site } from "../core/session.ts";
import { Button } from "../kit/button.tsx";
import { Icon } from "../kit/icon.tsx";
import type { PageEntry } from "../pages/index.ts";
import { titleOf } from "../pages/titles.ts";
import { Mark } from "./mark.tsx";
import { overlay } from "./overlays.ts";
import { shownPages } from "./shown-pages.ts";
import { t } from "./words.ts";

function PageLink({ entry }: { entry: PageEntry }) {
  return (
    <a href={addressOf(entry.name)} aria-current={page.value === entry.name ? "page" : undefined}>
      <Icon name={entry.icon} />
      {titleOf(entry.name)}
    </a>
  );
}

export function Side() {
  const shown = shownPages();
  const name = self.value?.username ?? "";
  const own = scope === null ? "account" : "organisation";
  const run = shown.filter(({ part }) => part === "run");
  return (
    <nav class="side" aria-label={t().pages}>
      <a class="brand" href="/">
        <Mark />
        <span class="cut">{site.value?.name ?? "Sluice"}</span>
      </a>
      {shown
        .filter(({ part }) => part === "own")
        .map((entry) => (
          <PageLink key={entry.name} entry={entry} />
        ))}
      {run.length > 0 && <h2>{t().run}</h2>}
      {run.map((entry) => (
        <PageLink key={entry.name} entry={entry} />
      ))}
      <div class="who">
        {self.value === null && <a href="/">{t().signIn}</a>}
        {self.value && (
          <a href={addressOf(own)} aria-current={page.value === own ? "page" : undefined}>
            <span class="face" aria-hidden="true">
              {name.slice(0, 2).toUpperCase()}
            </span>
            <span class="cut">{name}</span>
          </a>
        )}
        <Button
          kind="plain"
          icon="settings"
          label={t().preferences}
          onClick={() => (overlay.value = "preferences")}
        />
      </div>
    </nav>
  );
}

const tabsMax = 3;

/** On a narrow screen: the first pages, and everything else in the palette. */
export function BottomTabs() {
  const shown = shownPages().filter(({ part }) => part !== "none");
  return (
    <nav class="tabs" aria-label={t().more}>
      {shown.slice(0, tabsMax).map((entry) => (
        <PageLink key={entry.name} entry={entry} />
      ))}
      <button type="button" onClick={() => (overlay.value = "palette")}>
        <Icon name="menu" />
        {t().more}
      </button>
    </nav>
  );
}
