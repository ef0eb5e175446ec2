// Making a budget, changing one, beginning it anew, raising its window, and deleting it.
import type { BudgetView } from "../../../src/admin/contract.ts";
import { refresh, useAction } from "../../core/api.ts";
import { send } from "../../core/control.ts";
import { openId } from "../../core/place.ts";
import { Confirm, FormDialog } from "../../kit/dialog.tsx";
import { money } from "../../kit/form-fields.tsx";
import { FormFields, formOf, useForm } from "../../kit/form.tsx";
import { showToast } from "../../kit/toast.tsx";
import { budgetForm } from "./form.tsx";
import { t } from "./words.ts";

interface Options {
  view: BudgetView;
  onClose(): void;
}

export function MakeBudget({ onClose }: { onClose(): void }) {
  const forming = useForm(budgetForm, null);
  const make = useAction(async () => {
    const { name } = await send("POST /api/budget", { body: forming.body() });
    refresh("/api/budget");
    showToast(t().made(name));
    onClose();
  });
  return (
    <FormDialog title={t().make} submit={t().make} action={make} onClose={onClose}>
      <FormFields forming={forming} error={make.error} />
    </FormDialog>
  );
}

export function ChangeBudget({ view, onClose }: Options) {
  const forming = useForm(budgetForm, view);
  const change = useAction(async () => {
    const { account: _, ...body } = forming.changes();
    const { name } = await send("PATCH /api/budget/{id}", { id: view.id, body });
    refresh("/api/budget");
    showToast(t().changed(name));
    onClose();
  });
  return (
    <FormDialog title={view.name} submit={t().save} action={change} onClose={onClose}>
      <FormFields forming={forming} error={change.error} />
    </FormDialog>
  );
}

/** The one of many whose window alone is meant. */
export interface OneOfMany {
  subject: string;
  name: string;
  limit_micros: number;
}

interface WindowOptions extends Options {
  one?: OneOfMany;
}

function titleOf({ view, one }: WindowOptions): string {
  return one ? `${view.name}, ${one.name}` : view.name;
}

function subjectIn({ one }: WindowOptions): { subject?: string } {
  return one ? { subject: one.subject } : {};
}

export function RenewBudget(options: WindowOptions) {
  const { view, onClose } = options;
  const title = titleOf(options);
  const renew = useAction(async () => {
    await send("POST /api/budget/{id}/renew", { id: view.id, body: subjectIn(options) });
    refresh("/api/budget");
    showToast(t().wasRenewed(title));
    onClose();
  });
  return (
    <Confirm
      title={t().renewTitle(title)}
      effect={t().renewEffect}
      submit={t().renew}
      action={renew}
      onClose={onClose}
    />
  );
}

interface WindowLimit {
  limit_micros: number;
}

const raiseForm = formOf<WindowLimit, WindowLimit>()(
  [money("limit_micros", { isRequired: true, hasFocus: true })],
  t,
);

export function RaiseBudget(options: WindowOptions) {
  const { view, one, onClose } = options;
  const { limit_micros } = one ?? view.now ?? view;
  const forming = useForm(raiseForm, { limit_micros });
  const raise = useAction(async () => {
    const body = { ...forming.body(), ...subjectIn(options) };
    await send("POST /api/budget/{id}/raise", { id: view.id, body });
    refresh("/api/budget");
    showToast(t().wasRaised);
    onClose();
  });
  return (
    <FormDialog
      title={t().raiseTitle(titleOf(options))}
      submit={t().save}
      action={raise}
      onClose={onClose}
    >
      <p class="quiet wrap">{t().raiseEffect}</p>
      <FormFields forming={forming} error={raise.error} />
    </FormDialog>
  );
}

export function RemoveBudget({ view, onClose }: Options) {
  const remove = useAction(async () => {
    await send("DELETE /api/budget/{id}", { id: view.id });
    openId(null);
    refresh("/api/budget");
    showToast(t().wasRemoved(view.name));
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
