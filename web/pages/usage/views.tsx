// Views of the explorer under names of one's own. A view is what stands in the address, and is kept
// in the browser: of all that is chosen here nothing is worth a row in the gateway's database.
import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { useAction } from "../../core/api.ts";
import { keep, keptText } from "../../core/kept.ts";
import { addressOf, go, query } from "../../core/place.ts";
import { self } from "../../core/session.ts";
import { FormDialog } from "../../kit/dialog.tsx";
import { TextField } from "../../kit/field.tsx";
import { Menu } from "../../kit/menu.tsx";
import { t } from "./words.ts";

/** A name, and what the address then has behind its question mark. */
type View = readonly [name: string, search: string];

const changes = signal(0);
const viewsMax = 20;

/** Each user of this browser has their own. */
const place = () => `views.${self.value?.username}`;

function readViews(): View[] {
  try {
    const views = JSON.parse(keptText(place()) ?? "[]") as unknown;
    return Array.isArray(views) ? views.filter(isView) : [];
  } catch {
    return [];
  }
}

function isView(value: unknown): value is View {
  return (
    Array.isArray(value) && value.length === 2 && value.every((one) => typeof one === "string")
  );
}

function write(views: readonly View[]): void {
  keep(place(), JSON.stringify(views.slice(0, viewsMax)));
  changes.value++;
}

export function Views() {
  const words = t();
  const [isNaming, setNaming] = useState(false);
  const search = changes.value >= 0 ? query.value.toString() : "";
  const views = readViews();
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
      {isNaming && <NameView {...{ search, views }} onClose={() => setNaming(false)} />}
    </>
  );
}

interface NameOptions {
  search: string;
  views: readonly View[];
  onClose(): void;
}

function NameView({ search, views, onClose }: NameOptions) {
  const words = t();
  const [text, setText] = useState("");
  const name = text.trim();
  const action = useAction(async () => {
    write([[name, search], ...views.filter(([other]) => other !== name)]);
    onClose();
  });
  return (
    <FormDialog
      {...{ action, onClose }}
      title={words.saveView}
      submit={words.save}
      isDisabled={name === ""}
      onSubmit={() => void action.run()}
    >
      <TextField
        label={words.viewName}
        hint={words.viewHint}
        value={text}
        onInput={setText}
        maxLength={60}
        hasFocus
      />
    </FormDialog>
  );
}
