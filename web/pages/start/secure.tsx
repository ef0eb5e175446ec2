// The password is kept, or a passkey is added to it.
import { useState } from "preact/hooks";
import { send } from "../../core/control.ts";
import { refresh, useAction } from "../../core/api.ts";
import { markStep } from "../../core/first-steps.ts";
import { hasPasskeys, makePasskey } from "../../core/passkey.ts";
import { addressOf } from "../../core/place.ts";
import { site } from "../../core/session.ts";
import { Button, LinkButton } from "../../kit/button.tsx";
import { SecretDialog } from "../../kit/dialog.tsx";
import { Refusal } from "../../kit/failure.tsx";
import { PasswordField } from "../../kit/field.tsx";
import { showToast } from "../../kit/toast.tsx";
import { localhostAddress } from "./localhost.ts";
import { t } from "./words.ts";

const factorPath = "/api/user/self/second-factor";

export function Secure({ isDone, onDone }: { isDone: boolean; onDone(): void }) {
  const words = t();
  const canAdd = hasPasskeys() && site.value?.passkey === true;
  const keepIt = () => {
    markStep("secure");
    onDone();
  };
  return (
    <>
      <p class="quiet reading">{words.secureText}</p>
      {isDone && <p class="notice good">{words.isSecure}</p>}
      <div class="row wraps">
        <Button kind="main" onClick={keepIt}>
          {words.keepPassword}
        </Button>
        <LinkButton kind="plain" href={addressOf("account")}>
          {words.changePassword}
        </LinkButton>
      </div>
      {canAdd ? <AddPasskey /> : <NoPasskey />}
    </>
  );
}

function NoPasskey() {
  const address = localhostAddress(location.href);
  return (
    <p class="faint reading">
      {t().noPasskey} {address !== null && <a href={address}>{t().toLocalhost(address)}</a>}
    </p>
  );
}

function AddPasskey() {
  const words = t();
  const [password, setPassword] = useState("");
  const [codes, setCodes] = useState<string[] | null>(null);
  const add = useAction(async () => {
    const asked = await send("POST /api/user/self/second-factor/passkey/options", {
      body: { password },
    });
    const passkey = await makePasskey(asked.passkey);
    const body = { ticket: asked.ticket, passkey };
    const enrolled = await send("POST /api/user/self/second-factor/passkey", { body });
    setPassword("");
    setCodes(enrolled.recovery_codes);
    refresh(factorPath);
    showToast(words.passkeyAdded);
  });
  const submit = (event: Event) => {
    event.preventDefault();
    void add.run();
  };
  return (
    <form class="stack narrow" onSubmit={submit}>
      <PasswordField
        label={words.password}
        hint={words.passwordHint}
        value={password}
        onInput={setPassword}
        autoComplete="current-password"
        isRequired
      />
      <Refusal error={add.error} />
      <div>
        <Button type="submit" icon="key" isBusy={add.isBusy}>
          {words.addPasskey}
        </Button>
      </div>
      {codes && (
        <SecretDialog
          title={words.codes}
          secret={codes.join("\n")}
          onClose={() => setCodes(null)}
        />
      )}
    </form>
  );
}
