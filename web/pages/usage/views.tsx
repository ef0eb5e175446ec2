// Views of the explorer under names of one's own. A view is what stands in the address, and is kept
// in the browser: of all that is chosen here nothing is worth a row in the gateway's database.
import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { keep, keptList } from "../../core/kept.ts";
import { addressOf, go, query } from "../../core/place.ts";
import { self } from "../../core/session.ts";
import { Menu } from "../../kit/menu.tsx";
import { NameDialog } from "../../kit/name-dialog.tsx";
import { t } from "./words.ts";

/** A name, and what the address then has behind its question mark. */
type View = readonly [name: string, search: string];

const changes = signal(0);
const viewsMax = 20;

/** Each user of this browser has their own. */
const place = () => `views.${self.value?.username}`;

function readView(value: unknown): View | null {
  const [name, search] = Array.isArray(value) && value.length === 2 ? (value as unknown[]) : [];
  return typeof name === "string" && typeof search === "string" ? [name, search] : null;
}

function write(views: readonly View[]): void {
  keep(place(), JSON.stringify(views.slice(0, viewsMax)));
  changes.value++;
}

export function Views() {
  const words = t();
  const [isNaming, setNaming] = useState(false);
  const search = changes.value >= 0 ? query.value.toString() : "";
  const views = keptList(place(), readView);
  const shown = views.find(([, one]) => one === search);
  const forget = () => write(views.filter((one) => one !== shown));
  return (
    <>
      <Menu
        icon="down"
        isSmall={false}
        label={words.views}
        items={[
          ...views.map(([label, one]) => ({
            label,
            run: () => go(`${addressOf("usage")}?${one}`),
          })),
          shown
            ? { label: words.forget(shown[0]), isDanger: true, run: forget }
            : { label: words.saveView, run: () => setNaming(true) },
        ]}
      >
        {shown?.[0] ?? words.views}
      </Menu>
      {isNaming && (
        <NameDialog
          title={words.saveView}
          submit={words.save}
          label={words.viewName}
          hint={words.viewHint}
          onName={(name) => write([[name, search], ...views.filter(([other]) => other !== name)])}
          onClose={() => setNaming(false)}
        />
      )}
    </>
  );
}
