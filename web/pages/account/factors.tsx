// Second factors: the authenticator app, passkeys, and the codes for paper.
import { useState } from "preact/hooks";
import type { SecondFactorView } from "../../../src/admin/contract.ts";
import { send, useAnswer } from "../../core/control.ts";
import { refresh } from "../../core/api.ts";
import { moment } from "../../core/format.ts";
import { hasPasskeys } from "../../core/passkey.ts";
import { Waiting } from "../../kit/waiting.tsx";
import { Button } from "../../kit/button.tsx";
import { SecretDialog } from "../../kit/dialog.tsx";
import { Card } from "../../kit/figures.tsx";
import { showToast } from "../../kit/toast.tsx";
import { AddPasskey, SetUpApp } from "./enrol.tsx";
import { factorPath } from "./paths.ts";
import { Prove, type Proof } from "../../kit/prove/prove.tsx";
import { Line } from "./parts.tsx";
import { t } from "./words.ts";

type Dialog = "app" | "removeApp" | "passkey" | "recovery" | { passkey: string } | null;

export function Factors() {
  const { data, error, reload } = useAnswer("GET /api/user/self/second-factor");
  const [dialog, setDialog] = useState<Dialog>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const enrolled = (fresh: string[] | null) => {
    setDialog(null);
    setCodes(fresh);
    refresh(factorPath);
  };
  return (
    <Card title={t().factors} note={data?.required ? t().required : undefined}>
      <Waiting {...{ data, error, reload }} />
      {data && <FactorLines view={data} onOpen={setDialog} />}
      {dialog === "app" && <SetUpApp onDone={enrolled} onClose={() => setDialog(null)} />}
      {dialog === "passkey" && <AddPasskey onDone={enrolled} onClose={() => setDialog(null)} />}
      <Removal dialog={dialog} onCodes={setCodes} onClose={() => setDialog(null)} />
      {codes && (
        <SecretDialog title={t().recovery} secret={codes.join("\n")} onClose={() => setCodes(null)}>
          <p class="quiet">{t().recoveryText}</p>
        </SecretDialog>
      )}
    </Card>
  );
}

function FactorLines({ view, onOpen }: { view: SecondFactorView; onOpen(dialog: Dialog): void }) {
  const { totp, passkeys, recovery_codes_left: left } = view;
  const since = totp.enabled_at === null ? "" : moment(totp.enabled_at, "date");
  return (
    <ul class="lines">
      <Line title={t().app} note={totp.enabled ? t().appOn(since) : t().off}>
        <Button isSmall onClick={() => onOpen(totp.enabled ? "removeApp" : "app")}>
          {totp.enabled ? t().remove : t().setUp}
        </Button>
      </Line>
      {passkeys.map(({ id, name, last_used_at }) => (
        <Line
          key={id}
          title={name}
          note={last_used_at === null ? t().neverUsed : t().lastUsed(moment(last_used_at, "full"))}
        >
          <Button isSmall onClick={() => onOpen({ passkey: id })}>
            {t().remove}
          </Button>
        </Line>
      ))}
      {hasPasskeys() && (
        <Line title={t().passkeys} note={passkeys.length === 0 ? t().noPasskeys : undefined}>
          <Button isSmall onClick={() => onOpen("passkey")}>
            {t().addPasskey}
          </Button>
        </Line>
      )}
      {view.second_factor.length > 0 && (
        <Line title={t().recovery} note={t().left(left)}>
          <Button isSmall onClick={() => onOpen("recovery")}>
            {t().renew}
          </Button>
        </Line>
      )}
    </ul>
  );
}

interface RemovalOptions {
  dialog: Dialog;
  onCodes(codes: string[]): void;
  onClose(): void;
}

function Removal({ dialog, onCodes, onClose }: RemovalOptions) {
  async function remove(work: Promise<unknown>): Promise<void> {
    await work;
    refresh(factorPath);
    showToast(t().removed);
  }
  async function renew(proof: Proof): Promise<void> {
    const made = await send("POST /api/user/self/second-factor/recovery", { body: proof });
    refresh(factorPath);
    onCodes(made.recovery_codes);
  }
  if (dialog === "removeApp")
    return (
      <Prove
        title={t().removeApp}
        isDanger
        run={(body) => remove(send("POST /api/user/self/second-factor/totp/remove", { body }))}
        onClose={onClose}
      />
    );
  if (dialog === "recovery") return <Prove title={t().recovery} run={renew} onClose={onClose} />;
  if (dialog === null || typeof dialog === "string") return null;
  return (
    <Prove
      title={t().remove}
      isDanger
      run={(body) =>
        remove(
          send("POST /api/user/self/second-factor/passkey/{id}/remove", {
            id: dialog.passkey,
            body,
          }),
        )
      }
      onClose={onClose}
    />
  );
}
