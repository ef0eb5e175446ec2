// One's own name and balance, looks and password.
import { useAction } from "../../core/api.ts";
import { send } from "../../core/control.ts";
import { exactMoney } from "../../core/format.ts";
import { loadSelf, self } from "../../core/session.ts";
import { roleName } from "../../kit/page-words.ts";
import { Card, Facts } from "../../kit/figures.tsx";
import { password, text } from "../../kit/form-fields.tsx";
import { FormBox, FormFields, formOf, useForm } from "../../kit/form.tsx";
import { showToast } from "../../kit/toast.tsx";
import { PreferenceFields } from "../../shell/preferences.tsx";
import { t } from "./words.ts";

const nameForm = formOf<{ username: string }, { username: string }>()(
  [text("username", { isRequired: true })],
  t,
);

export function Profile() {
  const who = self.value;
  const forming = useForm(nameForm, who ?? null);
  const rename = useAction(async () => {
    await send("PATCH /api/user/self", { body: forming.body() });
    await loadSelf();
    showToast(t().renamed);
  });
  if (!who) return null;
  const { quota_micros: left, held_micros: held, used_micros: spent } = who;
  return (
    <Card title={t().profile}>
      <Facts
        pairs={[
          left !== undefined && [
            t().balance,
            left === null ? t().noLimit : <span class="number">{exactMoney(left)}</span>,
          ],
          held !== undefined && [t().held, <span class="number">{exactMoney(held)}</span>],
          spent !== undefined && [t().spent, <span class="number">{exactMoney(spent)}</span>],
          [t().role, roleName(who.role)],
          [t().group, who.group],
        ]}
      />
      <FormBox
        action={rename}
        submit={t().rename}
        isDisabled={String(forming.draft["username"]).trim() === who.username}
      >
        <FormFields forming={forming} error={rename.error} />
      </FormBox>
    </Card>
  );
}

export function Looks() {
  return (
    <Card title={t().look}>
      <PreferenceFields />
    </Card>
  );
}

const passwordForm = formOf<{ current_password?: string; new_password: string }>()(
  [
    password("current_password", { autoComplete: "current-password" }),
    password("new_password", { isRequired: true }),
  ],
  t,
);

export function Password() {
  const forming = useForm(passwordForm, null);
  const change = useAction(async () => {
    await send("POST /api/user/password", { body: forming.body() });
    forming.reset();
    showToast(t().passwordSet);
  });
  return (
    <Card title={t().password}>
      <FormBox action={change} submit={t().setPassword}>
        <FormFields forming={forming} error={change.error} />
      </FormBox>
    </Card>
  );
}
