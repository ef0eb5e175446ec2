// Adding a channel, guided by what is known of its vendor, and changing one.
import type { ChannelView } from "../../../src/admin/contract.ts";
import { call, refresh, useAction } from "../../core/api.ts";
import { FormDialog } from "../../kit/dialog.tsx";
import { showToast } from "../../kit/toast.tsx";
import { FetchModels } from "./discover.tsx";
import { bodyOf, newBodyOf, useDraft } from "./draft.ts";
import { t } from "./form-words.ts";
import { MainFields, ModelsField, MoreFields, VendorField } from "./form.tsx";
import { TestDraft } from "./test.tsx";

export function AddChannel({ onClose }: { onClose(): void }) {
  const form = useDraft(null);
  const add = useAction(async () => {
    await call("POST", "/api/channel", newBodyOf(form.draft));
    refresh("/api/channel");
    showToast(t().added(form.draft.name));
    onClose();
  });
  const { error } = add;
  return (
    <FormDialog
      title={t().addTitle}
      submit={t().add}
      action={add}
      isWide
      onSubmit={() => void add.run()}
      onClose={onClose}
    >
      <VendorField form={form} />
      <MainFields {...{ form, error }} isNew />
      <FetchModels form={form} bodyOf={() => newBodyOf(form.draft)} />
      <ModelsField {...{ form, error }} />
      <MoreFields {...{ form, error }} isNew />
      <TestDraft bodyOf={() => newBodyOf(form.draft)} />
    </FormDialog>
  );
}

export function ChangeChannel({ view, onClose }: { view: ChannelView; onClose(): void }) {
  const form = useDraft(view);
  const change = useAction(async () => {
    await call("PATCH", `/api/channel/${view.id}`, bodyOf(form.draft, view));
    refresh("/api/channel");
    showToast(t().changed(form.draft.name));
    onClose();
  });
  const { error } = change;
  return (
    <FormDialog
      title={view.name}
      submit={t().save}
      action={change}
      isWide
      onSubmit={() => void change.run()}
      onClose={onClose}
    >
      <MainFields {...{ form, error }} isNew={false} />
      <FetchModels form={form} bodyOf={() => ({ id: view.id })} />
      <ModelsField {...{ form, error }} />
      <MoreFields {...{ form, error }} isNew={false} />
    </FormDialog>
  );
}
