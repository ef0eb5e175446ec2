// One line of the ledger: what was held, charged and given back, by which price and usage.
import { pathOf, useAnswer } from "../../core/control.ts";
import { exactMoney, moment } from "../../core/format.ts";
import { addressOf, openId } from "../../core/place.ts";
import { scopedAt } from "../../core/session.ts";
import { Badge } from "../../kit/badge.tsx";
import { LinkButton } from "../../kit/button.tsx";
import { CurlButton, Id } from "../../kit/code.tsx";
import { Drawer } from "../../kit/drawer.tsx";
import { Empty, Skeleton } from "../../kit/empty.tsx";
import { Failure } from "../../kit/failure.tsx";
import { Facts } from "../../kit/figures.tsx";
import type { Steps } from "../../shell/list-page.tsx";
import { kindTones, signedMoney, type Entry } from "./parts.tsx";
import { t } from "./words.ts";

interface DetailOptions extends Steps {
  id: string;
  /** Undefined where the list does not have it: then it is asked for. */
  entry: Entry | undefined;
}

export function EntryDetail({ id, entry, onPrevious, onNext }: DetailOptions) {
  const at = scopedAt("GET /api/ledger", "GET /api/ledger/self", "money.read");
  const path = pathOf(at, { query: { id } });
  const { data, error, reload } = useAnswer(entry ? null : at, { query: { id } });
  const shown: Entry | undefined = entry ?? data?.items[0];
  const title = shown ? t().entryKinds[shown.kind] : t().line;
  return (
    <Drawer {...{ title, onPrevious, onNext }} onClose={() => openId(null)}>
      {!shown && error && <Failure error={error} onRetry={reload} />}
      {!shown && !error && !data && <Skeleton lines={8} />}
      {!shown && data && <Empty title={t().noMatch} />}
      {shown && <EntryFacts entry={shown} />}
      <div class="row wraps">
        {shown && shown.kind !== "grant" && <Origin id={id} />}
        <CurlButton path={path} />
      </div>
    </Drawer>
  );
}

/** Cause of the line: a task has an id of its own kind. */
function Origin({ id }: { id: string }) {
  const isTask = !id.startsWith("req_");
  return (
    <LinkButton
      icon={isTask ? "media" : "requests"}
      href={addressOf(isTask ? "media" : "requests", id)}
    >
      {isTask ? t().openTask : t().openRequest}
    </LinkButton>
  );
}

function EntryFacts({ entry }: { entry: Entry }) {
  const words = t();
  const { kind, loss_micros: loss = 0 } = entry;
  const isGrant = kind === "grant";
  return (
    <Facts
      pairs={[
        [words.kind, <Badge tone={kindTones[kind]}>{words.entryKinds[kind]}</Badge>],
        [words.amount, <span class="number strong">{signedMoney(entry)}</span>],
        !isGrant && [words.held, <span class="number">{exactMoney(entry.held_micros)}</span>],
        !isGrant && [
          words.givenBack,
          <span class="number">{exactMoney(entry.given_back_micros)}</span>,
        ],
        loss > 0 && [words.loss, <span class="number bad">{exactMoney(loss)}</span>],
        [words.at, moment(entry.at, "full")],
        [words.account, entry.account],
        [words.reason, entry.reason],
        [words.actor, entry.actor],
        [words.model, entry.model],
        [words.group, entry.group],
        entry.key_id !== null && [
          words.key,
          <a href={addressOf("keys", entry.key_id)}>{entry.key_name ?? entry.key_id}</a>,
        ],
        entry.usage !== null && [words.usage, <span class="mono">{entry.usage}</span>],
        entry.price !== null && [words.price, <span class="mono">{entry.price}</span>],
        [words.id, <Id text={entry.id} />],
      ]}
    />
  );
}
