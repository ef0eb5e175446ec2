// The link of an invitation into an organisation, once somebody is signed in: taken by a button.
import { useAction } from "../core/api.ts";
import { joining, keepJoining } from "../core/arrival.ts";
import { send } from "../core/control.ts";
import { enterScope } from "../core/scope.ts";
import { self } from "../core/session.ts";
import { FormDialog } from "../kit/dialog.tsx";
import { t } from "./later-words.ts";

export function Join() {
  const code = joining.value;
  const join = useAction(async () => {
    const { id } = await send("POST /api/organisation/join", { body: { code: code ?? "" } });
    keepJoining(null);
    enterScope(id);
  });
  if (code === null || !self.value) return null;
  return (
    <FormDialog
      title={t().joinTitle}
      submit={t().joinNow}
      action={join}
      onClose={() => keepJoining(null)}
    >
      <p class="quiet wrap">{t().joinText}</p>
    </FormDialog>
  );
}
