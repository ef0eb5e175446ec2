// One group: its multiplier and limits, the channels that serve it, and who is in it.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { GroupView, Listed } from "../../../src/admin/contract.ts";
import { pathOf, useAnswer } from "../../core/control.ts";
import type { Loaded } from "../../core/api.ts";
import { count } from "../../core/format.ts";
import { addressOf, openId } from "../../core/place.ts";
import { may } from "../../core/session.ts";
import { Declared } from "../../kit/waiting.tsx";
import { Button, LinkButton } from "../../kit/button.tsx";
import { CurlButton } from "../../kit/code.tsx";
import { Drawer } from "../../kit/drawer.tsx";
import { Skeleton } from "../../kit/empty.tsx";
import { Failure } from "../../kit/failure.tsx";
import { Facts } from "../../kit/figures.tsx";
import type { Steps } from "../../shell/list-page.tsx";
import { EditGroup, RemoveGroup } from "./edit.tsx";
import { t } from "./words.ts";

type DetailOptions = { view: GroupView } & Steps;

export function GroupDetail({ view, onPrevious, onNext }: DetailOptions) {
  const words = t();
  const [dialog, setDialog] = useState<"change" | "remove" | null>(null);
  const close = () => setDialog(null);
  const footer = !view.declared && may("groups.write") && (
    <>
      <Button icon="trash" onClick={() => setDialog("remove")}>
        {words.remove}
      </Button>
      <Button kind="main" icon="edit" onClick={() => setDialog("change")}>
        {words.change}
      </Button>
    </>
  );
  const limit = (value: number | null) => (value === null ? words.noLimit : count(value));
  return (
    <Drawer title={view.name} {...{ footer, onPrevious, onNext }} onClose={() => openId(null)}>
      {view.declared && <Declared />}
      <Facts
        pairs={[
          may("money.read") && [words.multiplier, words.multiplierOf(view.multiplier)],
          [words.prefer, words.preferences[view.prefer]],
          [words.requests_per_minute, limit(view.requests_per_minute)],
          [words.tokens_per_minute, limit(view.tokens_per_minute)],
          [words.concurrency, limit(view.concurrency)],
        ]}
      />
      <Inside group={view.name} />
      {dialog === "change" && <EditGroup view={view} onClose={close} />}
      {dialog === "remove" && <RemoveGroup view={view} onClose={close} />}
    </Drawer>
  );
}

const shownMax = 20;

function Inside({ group }: { group: string }) {
  const words = t();
  const ask = { query: { group, page_size: shownMax } };
  return (
    <>
      <Part
        title={words.channels}
        path={pathOf("GET /api/channel", ask)}
        loaded={useAnswer("GET /api/channel", ask)}
        none={words.noChannels}
        cell={({ id, name }) => <GoTo href={addressOf("channels", id)} name={name} />}
      />
      {may("people.read") && <People group={group} />}
      <Part
        title={words.keys}
        path={pathOf("GET /api/token", ask)}
        loaded={useAnswer("GET /api/token", ask)}
        none="–"
        cell={({ id, name }) => <GoTo href={addressOf("keys", id)} name={name} />}
      />
    </>
  );
}

function People({ group }: { group: string }) {
  const words = t();
  const ask = { query: { group, page_size: shownMax } };
  return (
    <Part
      title={words.people}
      path={pathOf("GET /api/user", ask)}
      loaded={useAnswer("GET /api/user", ask)}
      none={words.noPeople}
      cell={({ id, username }) => <GoTo href={addressOf("people", id)} name={username} />}
    />
  );
}

function GoTo({ href, name }: { href: string; name: string }) {
  return (
    <LinkButton isSmall href={href}>
      {name}
    </LinkButton>
  );
}

interface PartOptions<Row> {
  title: string;
  path: string;
  loaded: Loaded<Listed<Row>>;
  none: string;
  cell(row: Row): ComponentChildren;
}

function Part<Row>({ title, path, loaded, none, cell }: PartOptions<Row>) {
  const { data, error, reload } = loaded;
  return (
    <section class="stack">
      <h3 class="row">
        {title}
        {data && <span class="faint number">{count(data.total)}</span>}
        <span class="push">
          <CurlButton path={path} />
        </span>
      </h3>
      {error && <Failure error={error} onRetry={reload} />}
      {!data && !error && <Skeleton lines={2} />}
      {data?.items.length === 0 && <p class="faint">{none}</p>}
      {data && data.items.length > 0 && (
        <ul class="row wraps">
          {data.items.map((row, at) => (
            <li key={at}>{cell(row)}</li>
          ))}
          {data.total > data.items.length && <li class="faint">…</li>}
        </ul>
      )}
    </section>
  );
}
