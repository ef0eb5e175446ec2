// The first step: a password, a passkey alone, or another site.
import { useState } from "preact/hooks";
import { useAction } from "../../core/api.ts";
import { send } from "../../core/control.ts";
import { half } from "../../core/arrival.ts";
import { hasPasskeys, usePasskey } from "../../core/passkey.ts";
import { enter as goIn, site } from "../../core/session.ts";
import { Button, LinkButton } from "../../kit/button.tsx";
import { Refusal } from "../../kit/failure.tsx";
import { PasswordField, TextField } from "../../kit/field.tsx";
import { t } from "./words.ts";

export function PasswordStep() {
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const enter = useAction(async () => {
    const body = { username, password };
    const entered = await send("POST /api/user/login", { body });
    if (!("ticket" in entered)) return await goIn();
    half.value = { ticket: entered.ticket, kinds: entered.second_factor };
  });
  const submit = (event: Event) => {
    event.preventDefault();
    void enter.run();
  };
  return (
    <>
      <form class="stack" onSubmit={submit}>
        <TextField
          label={t().username}
          value={username}
          onInput={setUsername}
          autoComplete="username webauthn"
          isRequired
          hasFocus
        />
        <PasswordField
          label={t().password}
          value={password}
          onInput={setPassword}
          autoComplete="current-password"
          isRequired
        />
        <Refusal error={enter.error} />
        <div class="wide-buttons">
          <Button kind="main" type="submit" isBusy={enter.isBusy}>
            {t().submit}
          </Button>
        </div>
      </form>
      <OtherWays />
    </>
  );
}

function OtherWays() {
  const providers = site.value?.providers ?? [];
  const byPasskey = hasPasskeys() && site.value?.passkey !== false;
  const enter = useAction(async () => {
    const { ticket, passkey: question } = await send("POST /api/user/login/passkey", { body: {} });
    const passkey = await usePasskey(question);
    await send("POST /api/user/login/second", { body: { ticket, passkey } });
    await goIn();
  });
  if (providers.length === 0 && !byPasskey) return null;
  return (
    <div class="stack">
      <div class="or">{t().or}</div>
      <div class="wide-buttons">
        {byPasskey && (
          <Button icon="key" isBusy={enter.isBusy} onClick={() => void enter.run()}>
            {t().passkey}
          </Button>
        )}
        {providers.map(({ name }) => (
          <LinkButton key={name} href={`/api/oauth/${encodeURIComponent(name)}/authorize`}>
            {t().with(name)}
          </LinkButton>
        ))}
      </div>
      <Refusal error={enter.error} />
    </div>
  );
}
