// The overview: is it well, what is used, where does the money go, and what failed of late.
import { usePolled } from "../../core/control.ts";
import { scope } from "../../core/scope.ts";
import { may } from "../../core/session.ts";
import { Icon } from "../../kit/icon.tsx";
import { RangePicker } from "../../kit/range.tsx";
import { titleOf } from "../titles.ts";
import { Checklist, OwnChecklist } from "../../shell/checklist.tsx";
import { Screen } from "../../shell/screen.tsx";
import { Channels } from "./channels.tsx";
import { Failures } from "./failures.tsx";
import { Figures } from "./figures.tsx";
import { Balance, BaseUrl } from "./own.tsx";
import { Uses } from "./uses.tsx";
import { t } from "./words.ts";

const statusMs = 15_000;

export function Page() {
  return (
    <Screen title={titleOf("overview")} tools={<RangePicker />}>
      {may("channels.write") && <Checklist />}
      <Obstacles />
      {!may("usage.read") && (
        <>
          <Balance />
          {scope === null && <OwnChecklist />}
        </>
      )}
      <Figures />
      <Uses />
      {may("usage.read") ? (
        <div class="halves">
          {may("channels.read") ? <Channels /> : <BaseUrl />}
          <Failures />
        </div>
      ) : (
        <div class="halves">
          <Failures />
          <BaseUrl />
        </div>
      )}
    </Screen>
  );
}

/** Obstacles to paid work, before anything else. */
function Obstacles() {
  const { data } = usePolled(statusMs, "GET /api/status");
  if (!data || data.obstacles.length === 0) return null;
  return (
    <div class="notice bad" role="alert">
      <Icon name="warning" />
      <span class="strong">{t().obstacle}</span>
      {data.obstacles.map((text) => (
        <span key={text} class="wrap">
          {text}
        </span>
      ))}
    </div>
  );
}
