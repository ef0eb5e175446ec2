// The first step: a password, a passkey alone, or another site.
import { useAction } from "../../core/api.ts";
import { send, type BodyOf } from "../../core/control.ts";
import { half } from "../../core/arrival.ts";
import { hasPasskeys, usePasskey } from "../../core/passkey.ts";
import { enter as goIn, site } from "../../core/session.ts";
import { Button, LinkButton } from "../../kit/button.tsx";
import { Refusal } from "../../kit/failure.tsx";
import { password, text } from "../../kit/form-fields.tsx";
import { FormFields, formOf, useForm } from "../../kit/form.tsx";
import { DoorForm } from "./door-form.tsx";
import { t } from "./words.ts";

const doorForm = formOf<BodyOf<"POST /api/user/login">>()(
  [
    text("username", { isRequired: true, hasFocus: true, autoComplete: "username webauthn" }),
    password("password", { isRequired: true, autoComplete: "current-password" }),
  ],
  t,
);

export function PasswordStep() {
  const forming = useForm(doorForm, null);
  const enter = useAction(async () => {
    const entered = await send("POST /api/user/login", { body: forming.body() });
    if (!("ticket" in entered)) return await goIn();
    half.value = { ticket: entered.ticket, kinds: entered.second_factor };
  });
  return (
    <>
      <DoorForm action={enter} submit={t().signIn}>
        <FormFields forming={forming} error={enter.error} />
      </DoorForm>
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
