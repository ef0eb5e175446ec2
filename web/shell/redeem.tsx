// Money by a code: on the page of one's own account, and beside the balance.
import { refresh, useAction } from "../core/api.ts";
import { send } from "../core/control.ts";
import { money } from "../core/format.ts";
import { loadSelf } from "../core/session.ts";
import { text } from "../kit/form-fields.tsx";
import { FormBox, FormFields, formOf, useForm } from "../kit/form.tsx";
import { showToast } from "../kit/toast.tsx";
import { t } from "./later-words.ts";

const redeemForm = formOf<{ code: string }>()(
  [
    text("code", {
      isMono: true,
      isRequired: true,
      wrong: (code) => (code === "conflict" ? t().usedByYou : t().wrongCode),
    }),
  ],
  t,
);

export function Redeem() {
  const forming = useForm(redeemForm, null);
  const redeem = useAction(async () => {
    const { micros } = await send("POST /api/redemption/redeem", { body: forming.body() });
    await loadSelf();
    refresh("/api/user/self");
    forming.reset();
    showToast(t().redeemed(money(micros)));
  });
  return (
    <FormBox action={redeem} submit={t().redeem}>
      <FormFields forming={forming} error={redeem.error} />
    </FormBox>
  );
}
