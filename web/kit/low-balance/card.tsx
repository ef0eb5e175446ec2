// Notice of a low balance, of a person or of the organisation that the console acts for: from which
// amount on, and an address that is told too.
import type { SelfView } from "../../../src/admin/contract.ts";
import { useAction } from "../../core/api.ts";
import { send, type BodyOf } from "../../core/control.ts";
import { loadSelf, self } from "../../core/session.ts";
import { Card } from "../figures.tsx";
import { money, text } from "../form-fields.tsx";
import { FormBox, FormFields, formOf, useForm } from "../form.tsx";
import { showToast } from "../toast.tsx";
import { t } from "./words.ts";

type Notice = Pick<BodyOf<"PATCH /api/user/self">, "low_balance_micros" | "notice_url">;

const noticeForm = formOf<Notice>()(
  [money("low_balance_micros"), text("notice_url", { type: "url" })],
  t,
);

export function LowBalance() {
  const who = self.value;
  if (!who || (who.quota_micros ?? null) === null) return null;
  return (
    <Card title={t().lowBalance}>
      <Fields key={`${who.low_balance_micros} ${who.notice_url}`} who={who} />
    </Card>
  );
}

function Fields({ who }: { who: SelfView }) {
  const forming = useForm(noticeForm, who);
  const save = useAction(async () => {
    await send("PATCH /api/user/self", { body: forming.changes() });
    await loadSelf();
    showToast(t().noticeSaved);
  });
  return (
    <FormBox action={save} submit={t().save}>
      <FormFields forming={forming} error={save.error} />
    </FormBox>
  );
}
