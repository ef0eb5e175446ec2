// Presets to choose from, to save, and to share. Kept in the browser, for whoever is signed in.
import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { keep, keptList } from "../../core/kept.ts";
import { addressOf } from "../../core/place.ts";
import { self } from "../../core/session.ts";
import { Menu } from "../../kit/menu.tsx";
import { NameDialog } from "../../kit/name-dialog.tsx";
import { showToast } from "../../kit/toast.tsx";
import { presetHash, presetIn, readPreset, type Preset } from "./preset.ts";
import { change, chooseModels, chosenModels, settings } from "./state.ts";
import { t } from "./words.ts";

const presetsMax = 30;
const changes = signal(0);
const place = () => `presets.${self.value?.username}`;

function write(all: readonly Preset[]): void {
  keep(place(), JSON.stringify(all.slice(0, presetsMax)));
  changes.value++;
}

/** The form as it stands, under a name. */
function presetOf(name: string): Preset {
  const { rehearsal: _rehearsal, fields: _fields, ...rest } = settings.value;
  return { name, models: chosenModels(), settings: rest };
}

function apply({ models, settings: kept }: Preset): void {
  change(kept);
  if (models.length > 0) chooseModels(models);
}

/** A preset that came with the address; it leaves the address at once. */
export function takePreset(): void {
  const preset = presetIn(location.hash);
  if (!preset) return;
  history.replaceState(null, "", location.pathname + location.search);
  apply(preset);
  showToast(t().presetTaken(preset.name));
}

async function share(): Promise<void> {
  const [model = ""] = chosenModels();
  const link = location.origin + addressOf("playground") + presetHash(presetOf(model));
  await navigator.clipboard.writeText(link);
  showToast(t().linkCopied);
}

function isSame(one: Preset): boolean {
  return JSON.stringify({ ...one, name: "" }) === JSON.stringify(presetOf(""));
}

export function Presets() {
  const words = t();
  const [isNaming, setNaming] = useState(false);
  const all = changes.value >= 0 ? keptList(place(), readPreset) : [];
  const chosen = all.find(isSame) ?? null;
  return (
    <>
      <Menu
        icon="down"
        isSmall={false}
        label={words.presets}
        items={[
          ...all.map((one) => ({ label: one.name, run: () => apply(one) })),
          !chosen && {
            label: words.savePreset,
            icon: "plus" as const,
            run: () => setNaming(true),
          },
          { label: words.sharePreset, icon: "link", run: () => void share() },
          chosen && {
            label: words.forgetPreset(chosen.name),
            icon: "trash" as const,
            isDanger: true,
            run: () => write(all.filter((one) => one !== chosen)),
          },
        ]}
      >
        {chosen?.name ?? words.presets}
      </Menu>
      {isNaming && (
        <NameDialog
          title={words.savePreset}
          submit={words.save}
          label={words.name}
          hint={words.presetHint}
          onName={(name) => write([presetOf(name), ...all.filter((one) => one.name !== name)])}
          onClose={() => setNaming(false)}
        />
      )}
    </>
  );
}
