// Status: whether the gateway takes work, what stands in its way, and how the models are doing.
// Admins also see how the process itself is.
import type { StatusView } from "../../../src/admin/contract.ts";
import { usePolled } from "../../core/control.ts";
import { count } from "../../core/format.ts";
import { may, self } from "../../core/session.ts";
import { CurlButton } from "../../kit/code.tsx";
import { Skeleton } from "../../kit/empty.tsx";
import { Failure } from "../../kit/failure.tsx";
import { Card, Facts } from "../../kit/figures.tsx";
import { Icon } from "../../kit/icon.tsx";
import { Screen } from "../../shell/screen.tsx";
import { titleOf } from "../titles.ts";
import { ModelsHealth } from "./models.tsx";
import { ProcessFacts, ProcessTiles } from "./process.tsx";
import { lasting } from "./lasting.ts";
import { t } from "./words.ts";

const path = "/api/status";
const everyMs = 15_000;

export function Page() {
  const isVisitor = self.value === null;
  const { data, error, reload } = usePolled(everyMs, isVisitor ? null : "GET /api/status");
  return (
    <Screen title={titleOf("status")}>
      {error && !data && <Failure error={error} onRetry={reload} />}
      {!data && !error && !isVisitor && <Skeleton lines={6} />}
      {data && <State status={data} />}
      {data?.process && <ProcessTiles process={data.process} />}
      {data && may("settings.read") && (
        <div class="columns">
          <GatewayFacts status={data} />
          {data.process && <ProcessFacts process={data.process} />}
        </div>
      )}
      <ModelsHealth />
    </Screen>
  );
}

function State({ status: { accepts_paid_work: isOpen, obstacles } }: { status: StatusView }) {
  const words = t();
  if (isOpen) {
    return (
      <p class="notice good">
        <Icon name="check" />
        <span class="strong">{words.works}</span>
        {obstacles.join(" ")}
      </p>
    );
  }
  return (
    <div class="notice bad" role="alert">
      <Icon name="warning" />
      <span class="strong">{words.worksNot}</span>
      {obstacles.map((one) => (
        <span key={one} class="wrap">
          {one}
        </span>
      ))}
    </div>
  );
}

function GatewayFacts({ status }: { status: StatusView }) {
  const words = t();
  const { channels, journal, limits } = status;
  return (
    <Card title={words.gateway} tools={<CurlButton path={path} />}>
      <Facts
        pairs={[
          [words.version, status.version],
          [words.uptime, lasting(status.uptime_seconds)],
          [
            words.channels,
            <a href="/console/channels">
              {words.channelsOf(count(channels.enabled), count(channels.ejected))}
            </a>,
          ],
          [words.journal, words.journalOf(count(journal.queue), lasting(journal.oldest_ms / 1000))],
          [words.limits, words.limitsBy[limits.by]],
          limits.nodes > 1 && [words.nodes, <a href="/console/nodes">{count(limits.nodes)}</a>],
        ]}
      />
    </Card>
  );
}
