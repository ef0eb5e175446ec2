// Giving credit, or taking back what is left, always with a reason.
import { useMemo, useState } from "preact/hooks";
import type { CreditView, UserView } from "../../../src/admin/contract.ts";
import { readDollars } from "../../core/amounts.ts";
import { call, refresh, useAction } from "../../core/api.ts";
import { exactMoney } from "../../core/format.ts";
import { FormDialog } from "../../kit/dialog.tsx";
import { faultOf, TextField } from "../../kit/field.tsx";
import { Segments } from "../../kit/tabs.tsx";
import { showToast } from "../../kit/toast.tsx";
import { t } from "./words.ts";

export function Credit({ view, onClose }: { view: UserView; onClose(): void }) {
  const words = t();
  const [way, setWay] = useState<"give" | "take">("give");
  const [amount, setAmount] = useState("");
  const [reason, setReason] = useState("");
  // A second try after a lost answer books nothing twice.
  const id = useMemo(newId, []);
  const book = useAction(async () => {
    const size = readDollars(amount);
    const micros = size !== null && way === "take" ? -size : size;
    const body = { micros: micros ?? amount, reason: reason.trim(), id };
    const { micros: moved } = await call<CreditView>("POST", `/api/user/${view.id}/credit`, body);
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
      onSubmit={() => void book.run()}
      onClose={onClose}
    >
      <Segments label={words.credit} value={way} options={options} onChange={setWay} />
      <TextField
        label={words.amount}
        hint={way === "take" ? words.takeHint : undefined}
        before="$"
        inputMode="decimal"
        value={amount}
        onInput={setAmount}
        fault={faultOf(book.error, "micros") && words.wrongAmount}
        isRequired
        hasFocus
      />
      <TextField
        label={words.reason}
        hint={words.reasonHint}
        value={reason}
        onInput={setReason}
        fault={faultOf(book.error, "reason")}
        maxLength={200}
        isRequired
      />
    </FormDialog>
  );
}

function newId(): string {
  const random = crypto.getRandomValues(new Uint8Array(12));
  return `console-${Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
