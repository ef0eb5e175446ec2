// Arrival by the link of a letter. Programs that look at mail follow links, so nothing happens
// before a button is pressed.
import { useState } from "preact/hooks";
import { ApiError, useAction, type Action } from "../../core/api.ts";
import { send, type BodyOf } from "../../core/control.ts";
import { half, isLinkOver, letter, type Half, type Letter } from "../../core/arrival.ts";
import { usePasskey } from "../../core/passkey.ts";
import { enter, loadSelf, self } from "../../core/session.ts";
import { Button } from "../../kit/button.tsx";
import { Refusal } from "../../kit/failure.tsx";
import { faultOf, TextField } from "../../kit/field.tsx";
import { password } from "../../kit/form-fields.tsx";
import { FormFields, formOf, useForm } from "../../kit/form.tsx";
import { showToast } from "../../kit/toast.tsx";
import { DoorForm } from "./door-form.tsx";
import { Leave } from "./link.tsx";
import { t } from "./words.ts";

export function LetterStep({ letter: { kind, token } }: { letter: Letter }) {
  const steps = {
    email: <ProveStep token={token} />,
    reset: <ResetStep token={token} />,
    mail: <MailStep token={token} />,
  };
  return (
    <>
      {steps[kind]}
      <Leave />
    </>
  );
}

/** A letter that is over is told of once, above the form for the password. */
function useLetter(run: () => Promise<void>): Action<void> {
  return useAction(async () => {
    try {
      await run();
    } catch (error) {
      const isOver = error instanceof ApiError && error.code === "invalid_state";
      if (!isOver) throw error;
      letter.value = null;
      isLinkOver.value = true;
    }
  });
}

function ProveStep({ token }: { token: string }) {
  const prove = useLetter(async () => {
    await send("POST /api/user/email/verify", { body: { token } });
    showToast(t().proven);
    if (self.peek()) await loadSelf();
    letter.value = null;
  });
  return (
    <DoorForm action={prove} submit={t().prove}>
      <p class="quiet">{t().proveText}</p>
    </DoorForm>
  );
}

const resetForm = formOf<Pick<BodyOf<"POST /api/user/reset/finish">, "new_password">>()(
  [password("new_password", { isRequired: true, hasFocus: true, hint: () => t().newPassword })],
  t,
);

function ResetStep({ token }: { token: string }) {
  const forming = useForm(resetForm, null);
  const [challenge, setChallenge] = useState<Half | null>(null);
  const [code, setCode] = useState("");
  const finish = async (proof: Partial<BodyOf<"POST /api/user/reset/finish">>) => {
    const body = { ...forming.body(), token, ...proof };
    const entered = await send("POST /api/user/reset/finish", { body });
    if (!("ticket" in entered)) return await enter();
    setChallenge({ ticket: entered.ticket, kinds: entered.second_factor });
  };
  const byCode = useLetter(() =>
    finish(challenge ? { ticket: challenge.ticket, code: code.trim() } : {}),
  );
  const byPasskey = useLetter(async () => {
    if (!challenge) return;
    const { ticket } = challenge;
    const ask = await send("POST /api/user/login/passkey", { body: { ticket } });
    await finish({ ticket, passkey: await usePasskey(ask.passkey) });
  });
  return (
    <DoorForm action={byCode} submit={challenge ? t().goOn : t().setPassword}>
      {challenge ? (
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
      ) : (
        <>
          <p class="quiet">{t().resetText}</p>
          <FormFields forming={forming} error={byCode.error} />
        </>
      )}
      {challenge?.kinds.includes("passkey") && (
        <>
          <Button icon="key" isBusy={byPasskey.isBusy} onClick={() => void byPasskey.run()}>
            {t().usePasskey}
          </Button>
          <Refusal error={byPasskey.error} />
        </>
      )}
    </DoorForm>
  );
}

/** Another browser than the one that asked is asked for the digits of the letter. */
function MailStep({ token }: { token: string }) {
  const [code, setCode] = useState<string | null>(null);
  const go = useLetter(async () => {
    const digits = code?.trim() ?? "";
    const body = { token, ...(digits !== "" && { code: digits }) };
    try {
      const entered = await send("POST /api/user/login/mail/finish", { body });
      if (!("ticket" in entered)) return await enter();
      half.value = { ticket: entered.ticket, kinds: entered.second_factor };
      letter.value = null;
    } catch (error) {
      const isOther = error instanceof ApiError && error.param === "code" && code === null;
      if (!isOther) throw error;
      setCode("");
    }
  });
  return (
    <DoorForm action={go} submit={t().signIn}>
      {code === null ? (
        <p class="quiet">{t().mailText}</p>
      ) : (
        <TextField
          label={t().digits}
          hint={t().digitsHint}
          fault={faultOf(go.error, "code")}
          value={code}
          onInput={setCode}
          autoComplete="one-time-code"
          isRequired
          hasFocus
          isMono
        />
      )}
    </DoorForm>
  );
}
