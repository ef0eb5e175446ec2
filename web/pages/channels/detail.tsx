// One channel: how it is doing, what it serves with which keys, and what can be done with it.
import { useState } from "preact/hooks";
import type { ChannelView } from "../../../src/admin/contract.ts";
import { may } from "../../core/session.ts";
import { useAction } from "../../core/api.ts";
import { pathOf, useAnswer } from "../../core/control.ts";
import { openId, setQuery } from "../../core/place.ts";
import { Button, LinkButton } from "../../kit/button.tsx";
import { CurlButton } from "../../kit/code.tsx";
import { later } from "../../kit/later.tsx";
import { Drawer } from "../../kit/drawer.tsx";
import { Skeleton } from "../../kit/empty.tsx";
import { Failure, Refusal } from "../../kit/failure.tsx";
import type { Steps } from "../../shell/list-page.tsx";
import { copyChannel, setEnabled } from "./actions.tsx";
import { ChannelFacts, KeyTable, ModelTable, Rewrites } from "./facts.tsx";
import type { Opened, useDay } from "./parts.tsx";
import { t } from "./words.ts";

const History = later(async () => (await import("./history.tsx")).History);
const ChangeChannel = later(async () => (await import("./edit.tsx")).ChangeChannel);

interface DetailOptions extends Steps {
  id: string;
  /** The list's view, which is newer. */
  listed: ChannelView | undefined;
  day: ReturnType<ReturnType<typeof useDay>>;
  onOpen(opened: Opened): void;
}

export function ChannelDetail({ id, listed, day, onOpen, onPrevious, onNext }: DetailOptions) {
  const path = pathOf("GET /api/channel/{id}", { id });
  const loaded = useAnswer(listed ? null : "GET /api/channel/{id}", { id });
  const [isChanging, setChanging] = useState(false);
  const view = listed ?? loaded.data;
  const { error, reload } = loaded;
  const title = view?.name ?? t().channel;
  const footer = view && !view.sandbox && !view.declared && may("channels.write") && (
    <Footer view={view} onOpen={onOpen} onChange={() => setChanging(true)} />
  );
  return (
    <Drawer {...{ title, footer, onPrevious, onNext }} isWide onClose={() => openId(null)}>
      {error && !view && <Failure error={error} onRetry={reload} />}
      {!view && !error && <Skeleton lines={10} />}
      {view && (
        <>
          <ChannelFacts view={view} day={day} />
          <History id={view.id} />
          <KeyTable view={view} />
          <ModelTable view={view} />
          <Rewrites view={view} />
          <Links view={view} path={path} onOpen={onOpen} />
        </>
      )}
      {view && isChanging && <ChangeChannel view={view} onClose={() => setChanging(false)} />}
    </Drawer>
  );
}

interface LinkOptions {
  view: ChannelView;
  path: string;
  onOpen(opened: Opened): void;
}

function Links({ view, path, onOpen }: LinkOptions) {
  const preview = () => {
    openId(null);
    setQuery({ view: "route", model: view.models[0] ?? null });
  };
  return (
    <div class="row wraps">
      <LinkButton icon="requests" href={`/console/requests?channel=${encodeURIComponent(view.id)}`}>
        {t().requestsOf}
      </LinkButton>
      <Button icon="channels" onClick={preview}>
        {t().previewOf}
      </Button>
      {view.declared && may("channels.write") && (
        <Button icon="play" onClick={() => onOpen({ kind: "test", view })}>
          {t().test}
        </Button>
      )}
      <CurlButton path={path} />
    </div>
  );
}

interface FooterOptions {
  view: ChannelView;
  onOpen(opened: Opened): void;
  onChange(): void;
}

function Footer({ view, onOpen, onChange }: FooterOptions) {
  const words = t();
  const isOn = view.status === "enabled";
  const turn = useAction(() => setEnabled(view, !isOn));
  const copy = useAction(() => copyChannel(view));
  return (
    <>
      <Refusal error={turn.error ?? copy.error} />
      <Button icon="trash" onClick={() => onOpen({ kind: "remove", view })}>
        {words.remove}
      </Button>
      <Button icon="copy" isBusy={copy.isBusy} onClick={() => void copy.run()}>
        {words.copy}
      </Button>
      <Button isBusy={turn.isBusy} onClick={() => void turn.run()}>
        {isOn ? words.disable : words.enable}
      </Button>
      <Button icon="play" onClick={() => onOpen({ kind: "test", view })}>
        {words.test}
      </Button>
      <Button kind="main" icon="edit" onClick={onChange}>
        {words.change}
      </Button>
    </>
  );
}
