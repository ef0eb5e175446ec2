// Giving back what a request was charged: a credit of its account with an id made of the request's,
// so that it is booked once, whoever does it again.
import type { LogView } from "../../../src/admin/contract.ts";
import { ApiError, refresh, useAction } from "../../core/api.ts";
import { send } from "../../core/control.ts";
import { exactMoney } from "../../core/format.ts";
import { FormDialog } from "../../kit/dialog.tsx";
import { money, text } from "../../kit/form-fields.tsx";
import { FormFields, formOf, useForm } from "../../kit/form.tsx";
import { showToast } from "../../kit/toast.tsx";
import { t } from "./words.ts";

interface Wanted {
  micros: number;
  reason: string;
}

const refundForm = formOf<Wanted, Wanted>()(
  [
    money("micros", { label: () => t().amount, isRequired: true, hasFocus: true }),
    text("reason", { label: () => t().reason, isRequired: true, maxLength: 200 }),
  ],
  () => ({}),
);

export interface RefundOptions {
  row: LogView;
  accountId: string;
  onClose(): void;
}

export function Refund({ row, accountId, onClose }: RefundOptions) {
  const words = t();
  const { request_id: requestId, micros, account = accountId } = row;
  const forming = useForm(refundForm, { micros, reason: words.refundOf(requestId) });
  const book = useAction(async () => {
    const { micros: booked, repeated: isRepeated } = await send("POST /api/user/{id}/credit", {
      id: accountId,
      body: { ...forming.body(), id: `refund-${requestId}` },
    }).catch((error: unknown) => {
      throw isConflict(error) ? inWords(error, words.refundedOther) : error;
    });
    refresh("/api/user", "/api/ledger", "/api/audit");
    const amount = exactMoney(booked);
    showToast(isRepeated ? words.refundedBefore(amount) : words.refunded(account, amount));
    onClose();
  });
  return (
    <FormDialog
      title={words.refundOf(requestId)}
      submit={words.refund}
      action={book}
      onClose={onClose}
    >
      <p class="quiet wrap">{words.refundText(account, exactMoney(micros))}</p>
      <FormFields forming={forming} error={book.error} />
    </FormDialog>
  );
}

/** The id is taken by a refund of another amount. */
function isConflict(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === "conflict";
}

function inWords({ requestId }: ApiError, message: string): ApiError {
  return new ApiError({ message, code: null, param: null }, requestId);
}
