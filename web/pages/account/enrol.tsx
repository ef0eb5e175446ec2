// Setting up a factor: first a proof of who it is, then the app or the device.
import { useState } from "preact/hooks";
import type { PasskeyAsk, TotpBegun } from "../../../src/admin/contract.ts";
import { send } from "../../core/control.ts";
import { useAction } from "../../core/api.ts";
import { makePasskey } from "../../core/passkey.ts";
import { Code } from "../../kit/code.tsx";
import { FormDialog } from "../../kit/dialog.tsx";
import { faultOf, TextField } from "../../kit/field.tsx";
import { Qr } from "../../kit/qr.tsx";
import { showToast } from "../../kit/toast.tsx";
import { Prove, type Proof } from "../../kit/prove/prove.tsx";
import { t } from "./words.ts";

interface EnrolOptions {
  /** With the recovery codes that come with the first factor. */
  onDone(codes: string[] | null): void;
  onClose(): void;
}

export function SetUpApp({ onDone, onClose }: EnrolOptions) {
  const [begun, setBegun] = useState<TotpBegun | null>(null);
  if (begun) return <ConfirmApp {...{ begun, onDone, onClose }} />;
  const begin = async (proof: Proof) =>
    setBegun(await send("POST /api/user/self/second-factor/totp", { body: proof }));
  return <Prove title={t().app} run={begin} onClose={() => {}} onCancel={onClose} />;
}

function ConfirmApp({
  begun: { secret, uri },
  onDone,
  onClose,
}: EnrolOptions & { begun: TotpBegun }) {
  const [code, setCode] = useState("");
  const confirm = useAction(async () => {
    const body = { code: code.trim() };
    const enrolled = await send("POST /api/user/self/second-factor/totp/confirm", { body });
    onDone(enrolled.recovery_codes);
  });
  return (
    <FormDialog title={t().app} submit={t().confirm} action={confirm} onClose={onClose}>
      <p class="quiet">{t().scan}</p>
      <Qr text={uri} label={t().qr} />
      <Code text={secret} wraps />
      <TextField
        label={t().code}
        inputMode="numeric"
        autoComplete="one-time-code"
        value={code}
        onInput={setCode}
        fault={faultOf(confirm.error, "code")}
        isMono
        isRequired
        hasFocus
      />
    </FormDialog>
  );
}

export function AddPasskey({ onDone, onClose }: EnrolOptions) {
  const [ask, setAsk] = useState<PasskeyAsk | null>(null);
  const [name, setName] = useState("");
  const add = useAction(async () => {
    if (!ask) return;
    const passkey = await makePasskey(ask.passkey);
    const body = { ticket: ask.ticket, passkey, ...(name.trim() !== "" && { name: name.trim() }) };
    const enrolled = await send("POST /api/user/self/second-factor/passkey", { body });
    showToast(t().passkeyAdded);
    onDone(enrolled.recovery_codes);
  });
  if (!ask) {
    const begin = async (proof: Proof) =>
      setAsk(await send("POST /api/user/self/second-factor/passkey/options", { body: proof }));
    return <Prove title={t().addPasskey} run={begin} onClose={() => {}} onCancel={onClose} />;
  }
  return (
    <FormDialog title={t().addPasskey} submit={t().addPasskey} action={add} onClose={onClose}>
      <TextField
        label={t().passkeyName}
        value={name}
        onInput={setName}
        fault={faultOf(add.error, "name")}
        hasFocus
      />
    </FormDialog>
  );
}
