// Who one is here, what there is to spend, and a code that adds to it.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { RedeemedView } from "../../../src/admin/contract.ts";
import { call, useAction } from "../../core/api.ts";
import { exactMoney, money } from "../../core/format.ts";
import { loadSelf, self } from "../../core/session.ts";
import { Button } from "../../kit/button.tsx";
import { Refusal } from "../../kit/failure.tsx";
import { faultOf, PasswordField, TextField } from "../../kit/field.tsx";
import { Card, Facts } from "../../kit/figures.tsx";
import { showToast } from "../../kit/toast.tsx";
import { PreferenceFields } from "../../shell/preferences.tsx";
import { t } from "./words.ts";

export function Profile() {
  const who = self.value;
  const [name, setName] = useState(who?.username ?? "");
  const rename = useAction(async () => {
    await call("PATCH", "/api/user/self", { username: name.trim() });
    await loadSelf();
    showToast(t().renamed);
  });
  if (!who) return null;
  const { quota_micros: left } = who;
  return (
    <Card title={t().profile}>
      <Facts
        pairs={[
          [
            t().balance,
            left === null ? t().noLimit : <span class="number">{exactMoney(left)}</span>,
          ],
          [t().held, <span class="number">{exactMoney(who.held_micros)}</span>],
          [t().spent, <span class="number">{exactMoney(who.used_micros)}</span>],
          [t().role, t().roles[who.role]],
          [t().group, who.group],
        ]}
      />
      <Form onSubmit={() => void rename.run()}>
        <TextField
          label={t().username}
          value={name}
          onInput={setName}
          fault={faultOf(rename.error, "username")}
          isRequired
        />
        <Refusal error={rename.error} />
        <span>
          <Button type="submit" isBusy={rename.isBusy} isDisabled={name.trim() === who.username}>
            {t().rename}
          </Button>
        </span>
      </Form>
    </Card>
  );
}

export function Form({ onSubmit, children }: { onSubmit(): void; children: ComponentChildren }) {
  const send = (event: Event) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form class="stack" onSubmit={send}>
      {children}
    </form>
  );
}

export function Redeem() {
  const [code, setCode] = useState("");
  const redeem = useAction(async () => {
    const body = { code: code.trim() };
    const { micros } = await call<RedeemedView>("POST", "/api/redemption/redeem", body);
    await loadSelf();
    setCode("");
    showToast(t().redeemed(money(micros)));
  });
  return (
    <Card title={t().redeem}>
      <Form onSubmit={() => void redeem.run()}>
        <TextField
          label={t().code}
          value={code}
          onInput={setCode}
          fault={faultOf(redeem.error, "code")}
          isMono
          isRequired
        />
        <Refusal error={redeem.error} />
        <span>
          <Button type="submit" isBusy={redeem.isBusy}>
            {t().redeem}
          </Button>
        </span>
      </Form>
    </Card>
  );
}

export function Looks() {
  return (
    <Card title={t().look}>
      <PreferenceFields />
    </Card>
  );
}

export function Password() {
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const change = useAction(async () => {
    const body = { ...(current !== "" && { current_password: current }), new_password: next };
    await call("POST", "/api/user/password", body);
    setCurrent("");
    setNext("");
    showToast(t().passwordSet);
  });
  return (
    <Card title={t().password}>
      <Form onSubmit={() => void change.run()}>
        <PasswordField
          label={t().current}
          hint={t().currentHint}
          value={current}
          onInput={setCurrent}
          autoComplete="current-password"
          fault={faultOf(change.error, "current_password")}
        />
        <PasswordField
          label={t().next}
          hint={t().nextHint}
          value={next}
          onInput={setNext}
          autoComplete="new-password"
          fault={faultOf(change.error, "new_password")}
          isRequired
        />
        <Refusal error={change.error} />
        <span>
          <Button type="submit" isBusy={change.isBusy}>
            {t().setPassword}
          </Button>
        </span>
      </Form>
    </Card>
  );
}
