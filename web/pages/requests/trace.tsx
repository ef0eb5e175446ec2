// One request: where it went and why, how long each step took, and that its money adds up.
import { useState } from "preact/hooks";
import type { LogView } from "../../../src/admin/contract.ts";
import { pathOf, useAnswer } from "../../core/control.ts";
import { count, exactMoney, millis, moment } from "../../core/format.ts";
import { addressOf, openId } from "../../core/place.ts";
import { may, scopedAt, seesMoney } from "../../core/session.ts";
import { Waiting } from "../../kit/waiting.tsx";
import { Badge } from "../../kit/badge.tsx";
import { Button, CopyButton, LinkButton } from "../../kit/button.tsx";
import { CurlButton, Id } from "../../kit/code.tsx";
import { Drawer } from "../../kit/drawer.tsx";
import { Empty } from "../../kit/empty.tsx";
import { Facts } from "../../kit/figures.tsx";
import { later } from "../../kit/later.tsx";
import { toneOf } from "../../kit/request.tsx";
import type { Steps } from "../../shell/list-page.tsx";
import { Content } from "./content.tsx";
import { Money } from "./money.tsx";
import { Route } from "./route.tsx";
import { Why } from "./why.tsx";
import { t } from "./words.ts";

/** Few traces are looked at to give money back. */
const Refund = later(async () => (await import("./refund.tsx")).Refund);

type TraceOptions = { id: string } & Steps;

export function Trace({ id, onPrevious, onNext }: TraceOptions) {
  const at = scopedAt("GET /api/log/{id}", "GET /api/log/self/{id}");
  const path = pathOf(at, { id });
  const { data, error, reload } = useAnswer(at, { id });
  const head = (
    <>
      <h2 class="unseen">{t().request(id)}</h2>
      <span class="mono quiet cut">{id}</span>
      <CopyButton text={id} label={t().copyId} />
    </>
  );
  return (
    <Drawer
      title={t().request(id)}
      isWide
      onClose={() => openId(null)}
      {...{ head, onPrevious, onNext }}
    >
      <Waiting {...{ data, error, reload }} lines={10} />
      {data?.items.length === 0 && <Empty title={t().gone} text={t().goneText} />}
      {data?.items.map((row) => (
        <Story key={row.kind} row={row} />
      ))}
      <div class="row wraps">
        {data?.items[0] && <Related row={data.items[0]} />}
        <CurlButton path={path} />
      </div>
    </Drawer>
  );
}

function Story({ row }: { row: LogView }) {
  const { trace } = row;
  return (
    <article class="stack trace">
      <Headline row={row} />
      <ErrorText row={row} />
      <Figures row={row} />
      <Route row={row} />
      {trace?.candidates && <Why candidates={trace.candidates} tries={row.tries ?? []} />}
      {trace?.money && <Money row={row} money={trace.money} />}
      <GiveBack row={row} />
      <Conversion row={row} />
      {row.kind === "request" && row.task_id === null && <Content row={row} />}
      <FactsOf row={row} />
    </article>
  );
}

function Headline({ row }: { row: LogView }) {
  return (
    <div class="row wraps headline">
      <h3 class="cut">{row.model || t().noModel}</h3>
      <Badge tone={toneOf(row)}>
        {row.status} {row.error_code ?? outcomeText(row.outcome)}
      </Badge>
      {row.kind === "task" && <Badge>{t().taskEnd}</Badge>}
    </div>
  );
}

/** The message that the client got, and what only operators read of it. */
function ErrorText({ row }: { row: LogView }) {
  const { error_message: message, error_detail: detail = null } = row;
  if (message === null) return null;
  return (
    <div>
      <p class="wrap">{message}</p>
      {detail !== null && <p class="wrap quiet">{detail}</p>}
    </div>
  );
}

/** In words where there are some: the log may have outcomes of another version. */
function outcomeText(outcome: string): string {
  return Object.entries(t().outcomes).find(([name]) => name === outcome)?.[1] ?? outcome;
}

function affinityText(placing: string): string {
  return Object.entries(t().placings).find(([name]) => name === placing)?.[1] ?? placing;
}

const flowMsMin = 50;

function Figures({ row }: { row: LogView }) {
  const words = t();
  const flowMs = row.latency_ms - (row.first_byte_ms ?? row.latency_ms);
  const speed = flowMs > flowMsMin ? Math.round((row.output_tokens / flowMs) * 1000) : null;
  const pairs: [string, string][] = [
    ...(seesMoney("usage.read") ? [[words.cost, exactMoney(row.micros)] as [string, string]] : []),
    [words.tokens, words.inOut(count(row.input_tokens), count(row.output_tokens))],
    [words.firstToken, millis(row.first_byte_ms)],
    [words.total, millis(row.latency_ms)],
    [words.speed, speed === null ? "–" : words.perSecond(count(speed))],
  ];
  return (
    <dl class="figures">
      {pairs.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class="number">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** For those who may book credit, where something was charged. */
function GiveBack({ row }: { row: LogView }) {
  const [isOpen, setOpen] = useState(false);
  const { account_id: accountId, micros } = row;
  if (accountId === undefined || micros <= 0 || !may("money.write")) return null;
  return (
    <div>
      <Button isSmall icon="ledger" onClick={() => setOpen(true)}>
        {t().refund}
      </Button>
      {isOpen && <Refund {...{ row, accountId }} onClose={() => setOpen(false)} />}
    </div>
  );
}

function Conversion({ row: { format, trace } }: { row: LogView }) {
  const words = t();
  if (!trace?.upstream_format) return null;
  const { upstream_format: upstream, ignored, added } = trace;
  const isSame = upstream === format;
  return (
    <section class="stack part">
      <h3>{words.conversion}</h3>
      <p>{isSame ? words.passedOn(format) : words.converted(format, upstream)}</p>
      <Fields title={words.ignored} names={ignored} />
      <Fields title={words.added} names={added} />
    </section>
  );
}

function Fields({ title, names }: { title: string; names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <div class="row wraps">
      <span class="quiet">{title}</span>
      {names.map((field) => (
        <Badge key={field} tone="warn">
          {field}
        </Badge>
      ))}
    </div>
  );
}

function FactsOf({ row }: { row: LogView }) {
  const words = t();
  const vendorIds = (row.tries ?? []).flatMap(({ vendor_request_id: id }) => id ?? []);
  return (
    <section class="stack part">
      <h3>{words.facts}</h3>
      <Facts
        pairs={[
          [words.time, moment(row.time, "full")],
          may("usage.read") && [words.account, row.account],
          [words.key, row.key_name],
          [words.group, row.group],
          row.asked_model !== null && [words.askedModel, row.asked_model],
          row.served_model !== null && [words.servedModel, row.served_model],
          row.label !== null && [words.label, row.label],
          row.replay_of !== null && [words.replayOf, <Id text={row.replay_of} />],
          row.trace?.members !== undefined && [
            words.members,
            <Members members={row.trace.members} />,
          ],
          may("usage.read") && [words.channel, row.channel],
          !!row.trace?.affinity && [words.affinity, affinityText(row.trace.affinity)],
          !!row.trace?.waited_ms && [words.inLine, millis(row.trace.waited_ms)],
          [words.format, <span class="mono">{row.route}</span>],
          [words.stream, row.stream ? words.yes : words.no],
          row.cache_read_tokens > 0 && [words.cached, count(row.cache_read_tokens)],
          row.reasoning_tokens > 0 && [words.reasoning, count(row.reasoning_tokens)],
          row.images > 0 && [words.images, count(row.images)],
          row.seconds > 0 && [words.seconds, count(row.seconds)],
          row.error_code !== null && [words.errorCode, <span class="mono">{row.error_code}</span>],
          row.task_id !== null && [words.task, <Id text={row.task_id} />],
          ...vendorIds.map((id) => [words.vendorId, <Id text={id} />] as const),
          row.ip !== "" && [words.ip, row.ip],
        ]}
      />
    </section>
  );
}

function Members({ members }: { members: readonly { model: string; fate: string }[] }) {
  const fates = Object.entries(t().fates);
  return (
    <ol class="stack">
      {members.map(({ model, fate }) => (
        <li key={model} class="row wraps">
          <span class="wrap">{model}</span>
          <span class="faint">{fates.find(([name]) => name === fate)?.[1] ?? fate}</span>
        </li>
      ))}
    </ol>
  );
}

function Related({ row }: { row: LogView }) {
  const sameKey = `${addressOf("requests")}?key=${encodeURIComponent(row.key_id)}`;
  return (
    <>
      <LinkButton icon="requests" href={sameKey}>
        {t().sameKey}
      </LinkButton>
      {row.model !== "" && (
        <LinkButton
          icon="playground"
          href={`${addressOf("playground")}?model=${encodeURIComponent(row.model)}`}
        >
          {t().playground}
        </LinkButton>
      )}
      {row.model !== "" && (
        <LinkButton
          icon="models"
          href={`${addressOf("requests")}?model=${encodeURIComponent(row.model)}`}
        >
          {t().sameModel}
        </LinkButton>
      )}
    </>
  );
}
