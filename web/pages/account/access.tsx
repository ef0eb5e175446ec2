// Other ways into the account: sessions, linked sites, tokens of scripts, and the secret that calls
// to one's own addresses are signed with.
import { useState } from "preact/hooks";
import type { IdentityView, ListedAccessToken, SessionView } from "../../../src/admin/contract.ts";
import { refresh, useAction } from "../../core/api.ts";
import { send, useAnswer, type BodyOf } from "../../core/control.ts";
import { useEvery } from "../../core/lists/every.ts";
import { moment } from "../../core/format.ts";
import { loadSelf, site } from "../../core/session.ts";
import { Waiting } from "../../kit/waiting.tsx";
import { Badge } from "../../kit/badge.tsx";
import { Button, LinkButton } from "../../kit/button.tsx";
import { Code } from "../../kit/code.tsx";
import { Confirm, FormDialog, SecretDialog } from "../../kit/dialog.tsx";
import { Failure } from "../../kit/failure.tsx";
import { Card } from "../../kit/figures.tsx";
import { check, text } from "../../kit/form-fields.tsx";
import { FormFields, formOf, useForm } from "../../kit/form.tsx";
import { showToast } from "../../kit/toast.tsx";
import { Line } from "./parts.tsx";
import { t } from "./words.ts";

export function Sessions() {
  const loaded = useEvery("GET /api/session");
  const end = useAction(async ({ id, current }: SessionView) => {
    await send("DELETE /api/session/{id}", { id });
    if (current) return void (await loadSelf());
    refresh("/api/session");
    showToast(t().ended);
  });
  return (
    <Card title={t().sessions}>
      <Waiting {...loaded} />
      <ul class="lines">
        {loaded.rows.map((one) => (
          <Line
            key={one.id}
            title={
              <>
                {one.ip} {one.current && <Badge tone="accent">{t().here}</Badge>}
              </>
            }
            note={`${moment(one.last_used_at, "full")} · ${one.agent}`}
          >
            <Button isSmall onClick={() => void end.run(one)}>
              {t().end}
            </Button>
          </Line>
        ))}
      </ul>
    </Card>
  );
}

export function Links() {
  const loaded = useAnswer("GET /api/user/self/identities");
  const providers = site.value?.providers ?? [];
  const unlink = useAction(async ({ id }: IdentityView) => {
    await send("DELETE /api/user/self/identities/{id}", { id });
    refresh("/api/user/self/identities");
    showToast(t().unlinked);
  });
  if (providers.length === 0 && (loaded.data?.items.length ?? 0) === 0) return null;
  return (
    <Card title={t().links}>
      <Waiting {...loaded} />
      {loaded.data?.items.length === 0 && <p class="faint">{t().noLinks}</p>}
      <ul class="lines">
        {loaded.data?.items.map((one) => (
          <Line key={one.id} title={one.provider} note={one.username || one.display_name}>
            <Button isSmall onClick={() => void unlink.run(one)}>
              {t().unlink}
            </Button>
          </Line>
        ))}
      </ul>
      {unlink.error && <Failure error={unlink.error} />}
      <div class="row wraps">
        {providers.map(({ name }) => (
          <LinkButton
            key={name}
            icon="link"
            href={`/api/oauth/${encodeURIComponent(name)}/authorize`}
          >
            {t().link(name)}
          </LinkButton>
        ))}
      </div>
    </Card>
  );
}

export function Tokens() {
  const loaded = useEvery("GET /api/access-token");
  const [isMaking, setMaking] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const revoke = useAction(async ({ id }: ListedAccessToken) => {
    await send("DELETE /api/access-token/{id}", { id });
    refresh("/api/access-token");
    showToast(t().revoked);
  });
  const finish = (token: string) => {
    setMaking(false);
    setSecret(token);
  };
  return (
    <Card
      title={t().tokens}
      tools={
        <Button isSmall icon="plus" onClick={() => setMaking(true)}>
          {t().makeToken}
        </Button>
      }
    >
      <p class="faint">{t().tokensText}</p>
      <Waiting {...loaded} />
      <ul class="lines">
        {loaded.rows.map((one) => (
          <Line key={one.id} title={one.name} note={<TokenNote token={one} />}>
            <Button isSmall onClick={() => void revoke.run(one)}>
              {t().revoke}
            </Button>
          </Line>
        ))}
      </ul>
      {isMaking && <MakeToken onDone={finish} onClose={() => setMaking(false)} />}
      {secret !== null && (
        <SecretDialog title={t().tokenTitle} secret={secret} onClose={() => setSecret(null)} />
      )}
    </Card>
  );
}

function TokenNote({ token: { read_only, expires_at, created_at } }: { token: ListedAccessToken }) {
  const parts = [
    moment(created_at, "date"),
    expires_at === null ? null : t().expires(moment(expires_at, "date")),
    read_only ? t().read_only : null,
  ];
  return <>{parts.filter((part) => part !== null).join(" · ")}</>;
}

const tokenForm = formOf<BodyOf<"POST /api/access-token">>()(
  [
    text("name", { isRequired: true, hasFocus: true }),
    check("read_only", [false, true], { start: true }),
  ],
  t,
);

function MakeToken({ onDone, onClose }: { onDone(token: string): void; onClose(): void }) {
  const forming = useForm(tokenForm, null);
  const make = useAction(async () => {
    const { token } = await send("POST /api/access-token", { body: forming.body() });
    refresh("/api/access-token");
    onDone(token);
  });
  return (
    <FormDialog title={t().makeToken} submit={t().makeToken} action={make} onClose={onClose}>
      <FormFields forming={forming} error={make.error} />
    </FormDialog>
  );
}

export function Webhook() {
  const [secret, setSecret] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  const show = useAction(async () => {
    setSecret((await send("GET /api/webhook-secret")).secret);
  });
  const rotate = useAction(async () => {
    setSecret((await send("POST /api/webhook-secret")).secret);
    showToast(t().rotated);
  });
  return (
    <Card title={t().webhook}>
      <p class="faint">{t().webhookText}</p>
      {secret !== null && <Code text={secret} wraps />}
      {show.error && <Failure error={show.error} />}
      <div class="row wraps">
        <Button isBusy={show.isBusy} icon="eye" onClick={() => void show.run()}>
          {t().show}
        </Button>
        <Button onClick={() => setAsking(true)}>{t().rotate}</Button>
      </div>
      {isAsking && (
        <Confirm
          title={t().rotate}
          effect={t().rotateEffect}
          submit={t().rotate}
          action={rotate}
          onClose={() => setAsking(false)}
        />
      )}
    </Card>
  );
}
