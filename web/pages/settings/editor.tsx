// The form of one setting, as its schema says, with undo and the way back to the default.
import { useState } from "preact/hooks";
import type { SettingView } from "../../../src/admin/contract.ts";
import { refresh, useAction } from "../../core/api.ts";
import { send } from "../../core/control.ts";
import { loadSite } from "../../core/session.ts";
import { Button } from "../../kit/button.tsx";
import { FormBox } from "../../kit/form.tsx";
import { showToast } from "../../kit/toast.tsx";
import { valueOf } from "./draft.ts";
import { labelOf } from "./labels/words.ts";
import type { Value } from "./text.ts";
import { ValueField } from "./value-field.tsx";
import { t } from "./words.ts";

export function Editor({ setting }: { setting: SettingView }) {
  const words = t();
  const { name, schema, stated, pending, place } = setting;
  const label = labelOf(name) ?? name;
  const [draft, setDraft] = useState<Value>(pending ?? setting.value);
  const done = async () => {
    refresh("/api/setting");
    // The name and what visitors see stand around the page as well.
    await loadSite();
    showToast(words.saved(label));
  };
  const state = async (value: Value) => {
    await send("PATCH /api/setting", { body: { changes: [{ name, value }] } });
    await done();
  };
  const save = useAction(() => state(valueOf(schema ?? {}, draft, name) ?? null));
  const unset = useAction(() => state(null));
  const undo = useAction(async () => {
    await send("POST /api/setting/undo", { body: { name } });
    await done();
  });
  const busy = save.isBusy || unset.isBusy || undo.isBusy;
  const error = save.error ?? unset.error ?? undo.error;
  const isLocked = place !== null;
  return (
    <>
      {!isLocked && schema !== null && (
        <FormBox action={{ ...save, error }} submit={words.save} isMain isDisabled={busy}>
          <ValueField
            param={name}
            {...{ label, schema, error }}
            value={draft}
            isDisabled={busy}
            onChange={setDraft}
          />
        </FormBox>
      )}
      {stated !== null && (
        <p class="row wraps">
          <Button icon="left" isBusy={undo.isBusy} onClick={() => void undo.run()}>
            {words.undo}
          </Button>
          {stated.value !== null && (
            <Button kind="plain" isBusy={unset.isBusy} onClick={() => void unset.run()}>
              {words.unset}
            </Button>
          )}
        </p>
      )}
    </>
  );
}
