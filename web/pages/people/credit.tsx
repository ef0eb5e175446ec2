// Giving credit, or taking back what is left, always with a reason.
import { useMemo, useState } from "preact/hooks";
import type { UserView } from "../../../src/admin/contract.ts";
import { refresh, useAction } from "../../core/api.ts";
import { send } from "../../core/control.ts";
import { exactMoney } from "../../core/format.ts";
import { FormDialog } from "../../kit/dialog.tsx";
import { money, text } from "../../kit/form-fields.tsx";
import { FormFields, formOf, useForm } from "../../kit/form.tsx";
import { Segments } from "../../kit/tabs.tsx";
import { showToast } from "../../kit/toast.tsx";
import { t } from "./words.ts";

const creditForm = formOf<{ micros: number; reason: string }>()(
  [
    money("micros", { label: () => t().amount, isRequired: true, hasFocus: true }),
    text("reason", { isRequired: true, maxLength: 200 }),
  ],
  t,
);

export function Credit({ view, onClose }: { view: UserView; onClose(): void }) {
  const words = t();
  const [way, setWay] = useState<"give" | "take">("give");
  const forming = useForm(creditForm, null);
  // A second try after a lost answer books nothing twice.
  const id = useMemo(newId, []);
  const book = useAction(async () => {
    const { micros, reason } = forming.body();
    const body = { micros: way === "take" && micros > 0 ? -micros : micros, reason, id };
    const { micros: moved } = await send("POST /api/user/{id}/credit", { id: view.id, body });
    refresh("/api/user", "/api/ledger", "/api/audit");
    showToast(words.credited(view.username, exactMoney(moved)));
    onClose();
  });
  const options = [
    ["give", words.give],
    ["take", words.take],
  ] as const;
  return (
    <FormDialog
      title={words.creditTitle(view.username)}
      submit={way === "give" ? words.give : words.take}
      action={book}
      onClose={onClose}
    >
      <Segments label={words.credit} value={way} options={options} onChange={setWay} />
      <FormFields forming={forming} error={book.error} />
      {way === "take" && <p class="hint">{words.takeHint}</p>}
    </FormDialog>
  );
}

function newId(): string {
  const random = crypto.getRandomValues(new Uint8Array(12));
  return `console-${Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
