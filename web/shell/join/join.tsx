// The link of an invitation into an organisation, once somebody is signed in: taken by a button.
import { useEffect, useState } from "preact/hooks";
import type { SeatOffer } from "../../../src/admin/contract.ts";
import { useAction } from "../../core/api.ts";
import { joining, keepJoining } from "../../core/arrival.ts";
import { send } from "../../core/control.ts";
import { enterScope } from "../../core/scope.ts";
import { self } from "../../core/session.ts";
import { FormDialog } from "../../kit/dialog.tsx";
import { Refusal } from "../../kit/failure.tsx";
import { t } from "./words.ts";

export function Join() {
  const code = joining.value;
  const [offer, setOffer] = useState<SeatOffer | null>(null);
  const isIn = self.value !== null;
  const find = useAction(async () => {
    setOffer(await send("POST /api/organisation/join/offer", { body: { code: code ?? "" } }));
  });
  const join = useAction(async () => {
    const { id } = await send("POST /api/organisation/join", { body: { code: code ?? "" } });
    keepJoining(null);
    enterScope(id);
  });
  useEffect(() => {
    if (code !== null && isIn) void find.run();
  }, [code, isIn]);
  if (code === null || !isIn) return null;
  return (
    <FormDialog title={t().title} submit={t().join} action={join} onClose={() => keepJoining(null)}>
      {offer && <Offer offer={offer} />}
      <Refusal error={find.error} />
    </FormDialog>
  );
}

function Offer({ offer: { invited_by: by, organisation, role } }: { offer: SeatOffer }) {
  const words = t();
  return (
    <p class="quiet wrap">
      {words.offer({ by, organisation, role: words.roles[role] })} {words.effects[role]}
    </p>
  );
}
