// Making a group, changing one, and deleting one.
import { useState } from "preact/hooks";
import type { GroupView } from "../../../src/admin/contract.ts";
import { readWhole } from "../../core/amounts.ts";
import { call, refresh, useAction, withQuery } from "../../core/api.ts";
import { openId } from "../../core/place.ts";
import { Confirm, FormDialog } from "../../kit/dialog.tsx";
import { faultOf, TextField } from "../../kit/field.tsx";
import { showToast } from "../../kit/toast.tsx";
import { t } from "./words.ts";

const limits = [
  ["requests", "requests_per_minute"],
  ["tokens", "tokens_per_minute"],
  ["concurrency", "concurrency"],
] as const;

/** The whole group is written: a limit that is left out is none. */
function bodyOf(draft: Record<string, string>): Record<string, unknown> {
  const set = limits.flatMap(([, field]) => {
    const text = draft[field] ?? "";
    const value = readWhole(text);
    return value === null ? [] : [[field, value ?? text] as const];
  });
  const multiplier = draft["multiplier"]?.trim() ?? "";
  const number = Number(multiplier);
  return {
    name: draft["name"]?.trim(),
    multiplier: multiplier === "" || Number.isNaN(number) ? multiplier : number,
    ...Object.fromEntries(set),
  };
}

function draftOf(view: GroupView | null): Record<string, string> {
  const number = (value: number | null | undefined) => (value ? String(value) : "");
  return {
    name: view?.name ?? "",
    multiplier: String(view?.multiplier ?? 1),
    ...Object.fromEntries(limits.map(([, field]) => [field, number(view?.[field])])),
  };
}

export function EditGroup({ view, onClose }: { view: GroupView | null; onClose(): void }) {
  const words = t();
  const [draft, setDraft] = useState(() => draftOf(view));
  const set = (name: string) => (value: string) => setDraft((old) => ({ ...old, [name]: value }));
  const save = useAction(async () => {
    const { name } = await call<GroupView>("POST", "/api/group", bodyOf(draft));
    refresh("/api/group");
    showToast(t().saved(name));
    onClose();
  });
  return (
    <FormDialog
      title={view?.name ?? words.make}
      submit={view ? words.save : words.make}
      action={save}
      onSubmit={() => void save.run()}
      onClose={onClose}
    >
      {!view && (
        <TextField
          label={words.name}
          hint={words.nameHint}
          value={draft["name"] ?? ""}
          onInput={set("name")}
          fault={faultOf(save.error, "name")}
          isRequired
          hasFocus
        />
      )}
      <TextField
        label={words.multiplier}
        hint={words.multiplierHint}
        inputMode="decimal"
        value={draft["multiplier"] ?? ""}
        onInput={set("multiplier")}
        fault={faultOf(save.error, "multiplier") && words.wrongMultiplier}
        isRequired
      />
      <div class="pair">
        {limits.map(([name, field]) => (
          <TextField
            key={field}
            label={words[name]}
            hint={words.limitHint}
            inputMode="numeric"
            value={draft[field] ?? ""}
            onInput={set(field)}
            fault={faultOf(save.error, field) && words.wrongNumber}
          />
        ))}
      </div>
    </FormDialog>
  );
}

export function RemoveGroup({ view, onClose }: { view: GroupView; onClose(): void }) {
  const remove = useAction(async () => {
    await call("DELETE", withQuery("/api/group", { name: view.name }));
    openId(null);
    refresh("/api/group");
    showToast(t().removed(view.name));
  });
  return (
    <Confirm
      title={t().removeTitle(view.name)}
      effect={t().removeEffect}
      submit={t().remove}
      action={remove}
      onClose={onClose}
    />
  );
}
