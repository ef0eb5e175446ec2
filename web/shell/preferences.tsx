// Looks of the console and its zone, for this person in this browser.
import { chooseLanguage, signOut } from "../core/session.ts";
import { density, setDensity, setTheme, theme, type Density, type Theme } from "../core/theme.ts";
import { language, languages } from "../core/words.ts";
import { setZone, zone, type Zone } from "../core/time/zone.ts";
import { Button } from "../kit/button.tsx";
import { Dialog } from "../kit/dialog.tsx";
import { Select } from "../kit/field.tsx";
import { closeOverlay } from "./overlays.ts";
import { t } from "./later-words.ts";

export function PreferenceFields() {
  const words = t();
  const localZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <>
      <Select<Theme>
        label={words.theme}
        value={theme.value}
        options={[
          ["system", words.system],
          ["light", words.light],
          ["dark", words.dark],
        ]}
        onChange={setTheme}
      />
      <Select
        label={words.language}
        value={language.value}
        options={languages.map(({ tag, name }) => [tag, name])}
        onChange={(next) => void chooseLanguage(next)}
      />
      <Select<Zone>
        label={words.zone}
        value={zone.value}
        options={[
          ["local", words.local(localZone)],
          ["utc", "UTC"],
        ]}
        onChange={setZone}
      />
      <Select<Density>
        label={words.density}
        value={density.value}
        options={[
          ["normal", words.normal],
          ["compact", words.compact],
        ]}
        onChange={setDensity}
      />
    </>
  );
}

export function Preferences() {
  const leave = () => {
    closeOverlay();
    void signOut();
  };
  return (
    <Dialog
      title={t().preferences}
      onClose={closeOverlay}
      footer={
        <Button icon="leave" onClick={leave}>
          {t().signOut}
        </Button>
      }
    >
      <PreferenceFields />
    </Dialog>
  );
}
