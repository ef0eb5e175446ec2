// Adding a channel, guided by what is known of its vendor, and changing one.
import { useEffect } from "preact/hooks";
import type { ChannelView } from "../../../src/admin/contract.ts";
import { refresh, useAction } from "../../core/api.ts";
import { send } from "../../core/control.ts";
import { openId } from "../../core/place.ts";
import { FormDialog } from "../../kit/dialog.tsx";
import { FormFields, useForm } from "../../kit/form.tsx";
import { showToast } from "../../kit/toast.tsx";
import { FetchModels } from "./discover.tsx";
import { t } from "./form-words.ts";
import { bodyOf, channelForm, VendorField } from "./form.tsx";
import { useKinds } from "./kinds.ts";
import { TestDraft } from "./test.tsx";

export function AddChannel({ onClose }: { onClose(): void }) {
  const forming = useForm(channelForm, null);
  const usual = useKinds()?.types[0];
  const { type } = forming.draft;
  useEffect(() => {
    if (usual !== undefined && type === "") forming.set({ type: usual });
  }, [usual]);
  const draft = () => bodyOf(forming.body(), forming.body());
  const unchosen = () => {
    // None is chosen yet, and a list of none is refused.
    const { models: _models, ...rest } = draft();
    return rest;
  };
  const add = useAction(async () => {
    const { id, name, unpriced } = await send("POST /api/channel", { body: draft() });
    refresh("/api/channel");
    onClose();
    if (unpriced.length === 0) return showToast(t().added(name));
    showToast(t().addedUnpriced(name, unpriced.length));
    // Its drawer names them and leads to their prices.
    openId(id);
  });
  return (
    <FormDialog
      title={t().addChannel}
      submit={t().addChannel}
      action={add}
      isWide
      onClose={onClose}
    >
      <VendorField forming={forming} />
      <FormFields
        forming={forming}
        error={add.error}
        before={{ models: <FetchModels forming={forming} bodyOf={unchosen} /> }}
      />
      <TestDraft bodyOf={draft} />
    </FormDialog>
  );
}

export function ChangeChannel({ view, onClose }: { view: ChannelView; onClose(): void }) {
  const forming = useForm(channelForm, view);
  const change = useAction(async () => {
    const body = bodyOf(forming.changes(), forming.body());
    const { name } = await send("PATCH /api/channel/{id}", { id: view.id, body });
    refresh("/api/channel");
    showToast(t().changed(name));
    onClose();
  });
  return (
    <FormDialog title={view.name} submit={t().save} action={change} isWide onClose={onClose}>
      <FormFields
        forming={forming}
        error={change.error}
        before={{ models: <FetchModels forming={forming} bodyOf={() => ({ id: view.id })} /> }}
      />
    </FormDialog>
  );
}
