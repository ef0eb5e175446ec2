// One's own e-mail address: the proven one, and one that waits for its proof.
import { useState } from "preact/hooks";
import { useAction } from "../../core/api.ts";
import { send } from "../../core/control.ts";
import { loadSelf, self, site } from "../../core/session.ts";
import { Button } from "../../kit/button.tsx";
import { Card, Facts } from "../../kit/figures.tsx";
import { text } from "../../kit/form-fields.tsx";
import { FormBox, FormFields, formOf, useForm } from "../../kit/form.tsx";
import { showToast } from "../../kit/toast.tsx";
import { Prove, type Proof } from "../../kit/prove/prove.tsx";
import { t } from "./words.ts";

const emailForm = formOf<{ email: string }>()(
  [text("email", { isRequired: true, autoComplete: "email" })],
  t,
);

export function Email() {
  const forming = useForm(emailForm, null);
  const [act, setAct] = useState<"set" | "remove" | null>(null);
  const begin = useAction(async () => setAct("set"));
  const who = self.value;
  if (!who || site.value === null || site.value.email === "off") return null;
  const { email: proven, email_pending: pending } = who;
  const set = async (proof: Proof) => {
    await send("POST /api/user/self/email", { body: { ...forming.body(), ...proof } });
    await loadSelf();
    forming.reset();
    showToast(t().emailSent);
  };
  const remove = async (body: Proof) => {
    await send("POST /api/user/self/email/remove", { body });
    await loadSelf();
    showToast(t().emailRemoved);
  };
  const close = () => setAct(null);
  return (
    <Card title={t().email}>
      <p class="faint">{t().emailText}</p>
      <Facts
        pairs={[
          [t().emailProven, proven ?? t().emailNone],
          [t().emailPending, pending],
        ]}
      />
      <FormBox action={begin} submit={proven === null ? t().emailSet : t().emailChange}>
        <FormFields forming={forming} error={null} />
      </FormBox>
      {(proven !== null || pending !== null) && site.value.email !== "required" && (
        <span>
          <Button kind="danger" icon="trash" onClick={() => setAct("remove")}>
            {t().emailRemove}
          </Button>
        </span>
      )}
      {act === "set" && <Prove title={t().email} run={set} onClose={close} />}
      {act === "remove" && <Prove title={t().emailRemove} isDanger run={remove} onClose={close} />}
    </Card>
  );
}
