// The second half of signing in: a code, or a passkey.
import { useState } from "preact/hooks";
import { useAction } from "../../core/api.ts";
import { send } from "../../core/control.ts";
import type { Half } from "../../core/arrival.ts";
import { usePasskey } from "../../core/passkey.ts";
import { enter } from "../../core/session.ts";
import { Button } from "../../kit/button.tsx";
import { Refusal } from "../../kit/failure.tsx";
import { TextField } from "../../kit/field.tsx";
import { t } from "./words.ts";

export function SecondStep({ half, onBack }: { half: Half; onBack(): void }) {
  const [code, setCode] = useState("");
  const byCode = useAction(async () => {
    await send("POST /api/user/login/second", { body: { ticket: half.ticket, code: code.trim() } });
    await enter();
  });
  const byPasskey = useAction(async () => {
    const ask = await send("POST /api/user/login/passkey", { body: { ticket: half.ticket } });
    const passkey = await usePasskey(ask.passkey);
    await send("POST /api/user/login/second", { body: { ticket: ask.ticket, passkey } });
    await enter();
  });
  const submit = (event: Event) => {
    event.preventDefault();
    void byCode.run();
  };
  return (
    <form class="stack" onSubmit={submit}>
      <TextField
        label={t().code}
        hint={t().codeHint}
        value={code}
        onInput={setCode}
        autoComplete="one-time-code"
        isRequired
        hasFocus
        isMono
      />
      <Refusal error={byCode.error ?? byPasskey.error} />
      <div class="wide-buttons">
        <Button kind="main" type="submit" isBusy={byCode.isBusy}>
          {t().goOn}
        </Button>
        {half.kinds.includes("passkey") && (
          <Button icon="key" isBusy={byPasskey.isBusy} onClick={() => void byPasskey.run()}>
            {t().usePasskey}
          </Button>
        )}
        <Button kind="plain" onClick={onBack}>
          {t().back}
        </Button>
      </div>
    </form>
  );
}
