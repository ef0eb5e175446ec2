// One delivery: what was sent, each try to deliver it, and a way to send it again.
import { useEffect, useState } from "preact/hooks";
import type { DeliveryDetail, OwnDeliveryDetail } from "../../../src/admin/contract.ts";
import { pathOf, send, usePolled } from "../../core/control.ts";
import { refresh, useAction } from "../../core/api.ts";
import { count, moment } from "../../core/format.ts";
import { addressOf, openId } from "../../core/place.ts";
import { may, scopedAt, seesContents } from "../../core/session.ts";
import { Waiting } from "../../kit/waiting.tsx";
import { Button } from "../../kit/button.tsx";
import { CurlButton, Id } from "../../kit/code.tsx";
import { Drawer } from "../../kit/drawer.tsx";
import { Refusal } from "../../kit/failure.tsx";
import { Facts } from "../../kit/figures.tsx";
import { showToast } from "../../kit/toast.tsx";
import type { Steps } from "../../shell/list-page.tsx";
import { Body, DeliveryState, Headers, Tries, waits } from "./parts.tsx";
import { t } from "./words.ts";

type Whole = OwnDeliveryDetail & Partial<DeliveryDetail>;

const everyMs = 2000;

export function DeliveryDrawer({ id, onPrevious, onNext }: { id: string } & Steps) {
  const at = scopedAt("GET /api/webhook/{id}", "GET /api/webhook/self/{id}");
  const path = pathOf(at, { id });
  const [isMoving, setMoving] = useState(false);
  const { data, error, reload } = usePolled(isMoving ? everyMs : 0, at, { id });
  const isDue = data !== null && waits(data);
  useEffect(() => setMoving(isDue), [isDue]);
  const title = data?.event ?? t().delivery;
  const mayReplay = !may("usage.read") || may("requests.end");
  const footer = data && mayReplay && <Replay id={id} />;
  return (
    <Drawer {...{ title, footer, onPrevious, onNext }} isWide onClose={() => openId(null)}>
      <Waiting {...{ data, error, reload }} lines={8} />
      {data && <DeliveryBody row={data} />}
      <div class="row">
        <CurlButton path={path} />
      </div>
    </Drawer>
  );
}

/** Replay as often as one likes: receivers tell calls apart by their id. */
function Replay({ id }: { id: string }) {
  const replay = useAction(async () => {
    const at = scopedAt(
      "POST /api/webhook/{id}/replay",
      "POST /api/webhook/self/{id}/replay",
      "requests.end",
    );
    await send(at, { id });
    refresh("/api/webhook");
    showToast(t().wasReplayed);
  });
  return (
    <>
      <Refusal error={replay.error} />
      <Button kind="main" icon="refresh" isBusy={replay.isBusy} onClick={() => void replay.run()}>
        {t().replay}
      </Button>
    </>
  );
}

function DeliveryBody({ row }: { row: Whole }) {
  const words = t();
  return (
    <>
      <Facts
        pairs={[
          [words.state, <DeliveryState row={row} />],
          row.error === null ? null : [words.error, <span class="bad wrap">{row.error}</span>],
          [words.url, <span class="mono wrap">{row.url}</span>],
          [
            words.task,
            <a class="mono" href={addressOf("media", row.task_id)}>
              {row.task_id}
            </a>,
          ],
          [words.account, row.account],
          [words.tries, count(row.attempts)],
          [words.created, moment(row.created_at, "full")],
          row.next_attempt_at === null ? null : [words.next, moment(row.next_attempt_at, "full")],
          [words.id, <Id text={row.id} />],
        ]}
      />
      {row.tries.length > 0 && (
        <section class="stack" aria-label={words.tries}>
          <h3>{words.tries}</h3>
          <Tries tries={row.tries} />
        </section>
      )}
      <Headers headers={row.headers} />
      {seesContents() && <Body text={row.body} />}
    </>
  );
}
