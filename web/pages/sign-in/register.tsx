// A new account, with an invitation where registration asks for one.
import { useState } from "preact/hooks";
import { useAction } from "../../core/api.ts";
import { send } from "../../core/control.ts";
import { go, query } from "../../core/place.ts";
import { enter, site } from "../../core/session.ts";
import { Button } from "../../kit/button.tsx";
import { Refusal } from "../../kit/failure.tsx";
import { faultOf, PasswordField, TextField } from "../../kit/field.tsx";
import { t } from "./words.ts";

export function Register() {
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const [invitation, setInvitation] = useState(query.value.get("invitation") ?? "");
  const make = useAction(async () => {
    const code = invitation.trim();
    await send("POST /api/user/register", {
      body: {
        username,
        password,
        ...(code && { invitation: code }),
      },
    });
    go("/");
    await enter();
  });
  const submit = (event: Event) => {
    event.preventDefault();
    void make.run();
  };
  const asksCode = site.value?.registration !== "open" || invitation !== "";
  return (
    <form class="stack" onSubmit={submit}>
      <TextField
        label={t().username}
        value={username}
        onInput={setUsername}
        autoComplete="username"
        fault={faultOf(make.error, "username")}
        isRequired
        hasFocus
      />
      <PasswordField
        label={t().password}
        hint={t().newPassword}
        value={password}
        onInput={setPassword}
        autoComplete="new-password"
        fault={faultOf(make.error, "password")}
        isRequired
      />
      {asksCode && (
        <TextField
          label={t().invitation}
          hint={t().invitationHint}
          value={invitation}
          onInput={setInvitation}
          fault={faultOf(make.error, "invitation")}
          isMono
        />
      )}
      <Refusal error={make.error} />
      <div class="wide-buttons">
        <Button kind="main" type="submit" isBusy={make.isBusy}>
          {t().register}
        </Button>
      </div>
    </form>
  );
}
