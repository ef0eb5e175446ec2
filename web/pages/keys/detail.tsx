// One key: all that is known of it, and what can be done with it.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { KeyView } from "../../../src/admin/contract.ts";
import { useAction } from "../../core/api.ts";
import { pathOf, useAnswer } from "../../core/control.ts";
import { count, exactMoney, moment } from "../../core/format.ts";
import { openId } from "../../core/place.ts";
import { scope } from "../../core/scope.ts";
import { may, seesMoney } from "../../core/session.ts";
import { Declared, Waiting } from "../../kit/waiting.tsx";
import { Button, LinkButton } from "../../kit/button.tsx";
import { CurlButton, Id } from "../../kit/code.tsx";
import { Drawer } from "../../kit/drawer.tsx";
import { Refusal } from "../../kit/failure.tsx";
import { Facts } from "../../kit/figures.tsx";
import { writeLines } from "../../kit/pair-lines.ts";
import type { Opened } from "../../shell/list-page.tsx";
import { RevokeKey, setEnabled } from "./actions.tsx";
import { KeyBudgets } from "./budgets.tsx";
import { ChangeKey, RotateKey } from "./edit.tsx";
import { KeyState, useKeyActs, UsedOf } from "./parts.tsx";
import { t } from "./words.ts";

type DialogName = "change" | "rotate" | "revoke";

export function KeyDetail({ id, onPrevious, onNext }: Opened<KeyView>) {
  const { data, error, reload } = useAnswer("GET /api/token/{id}", { id });
  const [dialog, setDialog] = useState<DialogName | null>(null);
  const close = () => openId(null);
  const title = data?.name ?? t().key;
  const { mayTurn, mayChange } = useKeyActs(data);
  const isActed = mayTurn || mayChange;
  const footer = data && !data.declared && isActed && <Footer view={data} onOpen={setDialog} />;
  return (
    <Drawer {...{ title, footer, onPrevious, onNext }} onClose={close}>
      <Waiting {...{ data, error, reload }} lines={8} />
      {data && <KeyFacts view={data} />}
      {data && seesMoney("keys.read") && <KeyBudgets id={id} />}
      <div class="row">
        <LinkButton icon="requests" href={`/console/requests?key=${encodeURIComponent(id)}`}>
          {t().requestsOf}
        </LinkButton>
        <CurlButton path={pathOf("GET /api/token/{id}", { id })} />
      </div>
      {data && dialog === "change" && <ChangeKey view={data} onClose={() => setDialog(null)} />}
      {data && dialog === "rotate" && <RotateKey view={data} onClose={() => setDialog(null)} />}
      {data && dialog === "revoke" && (
        <RevokeKey view={data} onClose={() => setDialog(null)} onDone={close} />
      )}
    </Drawer>
  );
}

function Footer({ view, onOpen }: { view: KeyView; onOpen(dialog: DialogName): void }) {
  const isOn = view.status === "enabled";
  const turn = useAction(() => setEnabled(view, !isOn));
  const { mayChange, mayTurn } = useKeyActs(view);
  return (
    <>
      <Refusal error={turn.error} />
      {mayChange && (
        <>
          <Button onClick={() => onOpen("revoke")} icon="trash">
            {t().revoke}
          </Button>
          <Button onClick={() => onOpen("rotate")}>{t().rotate}</Button>
        </>
      )}
      {mayTurn && (
        <Button isBusy={turn.isBusy} onClick={() => void turn.run()}>
          {isOn ? t().disable : t().enable}
        </Button>
      )}
      {mayChange && (
        <Button kind="main" icon="edit" onClick={() => onOpen("change")}>
          {t().change}
        </Button>
      )}
    </>
  );
}

/** Those of single models, where it has any. */
function modelRates(view: KeyView): ([string, ComponentChildren] | false)[] {
  const kinds = ["model_requests_per_minute", "model_tokens_per_minute"] as const;
  return kinds.map((kind) => {
    const counts = view[kind];
    return (
      counts !== null && [t()[kind], <span class="mono wrap">{writeLines(" = ")(counts)}</span>]
    );
  });
}

function KeyFacts({ view }: { view: KeyView }) {
  const words = t();
  const rate = (value: number | null) => (value === null ? words.noLimit : count(value));
  return (
    <>
      {view.declared && <Declared />}
      <Facts
        pairs={[
          [words.status, <KeyState view={view} />],
          seesMoney("keys.read") && [words.used, <UsedOf view={view} />],
          seesMoney("keys.read") && [
            words.held,
            <span class="number">{exactMoney(view.held_micros)}</span>,
          ],
          [words.key, <span class="mono">{view.shown}</span>],
          may("keys.read") && [words.account, view.account],
          scope !== null && [words.member, view.member ?? words.serviceKey],
          scope !== null && [words.project, view.project ?? words.none],
          [words.group, view.group_is_own ? view.group : `${view.group} (${words.groupOf})`],
          [words.models, view.models?.join(", ") ?? words.all],
          view.model_mapping !== null && [
            words.model_mapping,
            <span class="mono wrap">{writeLines(" = ")(view.model_mapping)}</span>,
          ],
          [words.allow_ips, view.allow_ips?.join(", ") ?? words.anyIp],
          [words.requests_per_minute, rate(view.requests_per_minute)],
          [words.tokens_per_minute, rate(view.tokens_per_minute)],
          ...modelRates(view),
          [words.concurrency, rate(view.concurrency)],
          [
            words.expires_at,
            view.expires_at === null ? words.never : moment(view.expires_at, "full"),
          ],
          [words.log_content, view.log_content ? words.yes : words.no],
          view.previous_until !== null && [
            words.previousUntil,
            moment(view.previous_until, "full"),
          ],
          [words.created, moment(view.created_at, "full")],
          [words.id, <Id text={view.id} />],
        ]}
      />
    </>
  );
}
