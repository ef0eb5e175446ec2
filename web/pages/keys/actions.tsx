// What is done with a key that is there.
import type { KeyView } from "../../../src/admin/contract.ts";
import { call, refresh, useAction } from "../../core/api.ts";
import { Confirm } from "../../kit/dialog.tsx";
import { showToast } from "../../kit/toast.tsx";
import { t } from "./words.ts";

/** Can be undone, so it is not asked about. */
export async function setEnabled(view: KeyView, isOn: boolean): Promise<void> {
  await call("PATCH", `/api/token/${view.id}`, { status: isOn ? "enabled" : "disabled" });
  refresh("/api/token");
  const text = isOn ? t().wasEnabled(view.name) : t().wasDisabled(view.name);
  showToast(text, () => void setEnabled(view, !isOn));
}

export function RevokeKey({
  view,
  onClose,
  onDone,
}: {
  view: KeyView;
  onClose(): void;
  onDone(): void;
}) {
  const revoke = useAction(async () => {
    await call("DELETE", `/api/token/${view.id}`);
    onDone();
    refresh("/api/token");
    showToast(t().wasRevoked(view.name));
  });
  return (
    <Confirm
      title={t().revokeTitle(view.name)}
      effect={t().revokeEffect}
      submit={t().revoke}
      action={revoke}
      onClose={onClose}
    />
  );
}
