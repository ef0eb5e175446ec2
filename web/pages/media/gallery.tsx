// The gallery: a grid of what was made and of what is being made.
import type { ComponentChildren } from "preact";
import { seesContents } from "../../core/session.ts";
import type { Loaded } from "../../core/api.ts";
import { lately } from "../../core/format.ts";
import { openId } from "../../core/place.ts";
import { Failure } from "../../kit/failure.tsx";
import { Card } from "../../kit/figures.tsx";
import { Pager } from "../../kit/rest/list.tsx";
import type { ListAnswer } from "../../kit/table.tsx";
import { titleOf } from "../titles.ts";
import { Cost, isRunning, Poster, Progress, TaskState, type Shown } from "./parts.tsx";
import { t } from "./words.ts";

interface GalleryOptions {
  loaded: Loaded<ListAnswer<Shown>>;
  empty: ComponentChildren;
}

export function Gallery({ loaded: { data, error, reload }, empty }: GalleryOptions) {
  if (error && !data) {
    return (
      <Card isFlush>
        <Failure error={error} onRetry={reload} />
      </Card>
    );
  }
  if (!data) return <Waiting />;
  if (data.items.length === 0) return <Card isFlush>{empty}</Card>;
  return (
    <>
      {error && <Failure error={error} onRetry={reload} />}
      <ul class="gallery" aria-label={titleOf("media")}>
        {data.items.map((task) => (
          <li key={task.id}>
            <GalleryCard task={task} />
          </li>
        ))}
      </ul>
      <Pager data={data} />
    </>
  );
}

function GalleryCard({ task }: { task: Shown }) {
  const runs = isRunning(task);
  const hint = task.error?.message;
  return (
    <button type="button" class="card shot" onClick={() => openId(task.id)}>
      <Poster
        key={task.preview ? "made" : "bare"}
        result={seesContents() ? task.preview : null}
        kind={task.kind}
      />
      <span class="about">
        <span class="row">
          <span class="strong cut">{task.model}</span>
          <span class="push">
            <Cost task={task} />
          </span>
        </span>
        <span class="row faint">
          <span class="cut" title={hint}>
            <TaskState task={task} />
          </span>
          <span class="push">{lately(task.created_at)}</span>
        </span>
        {runs && <Progress task={task} />}
      </span>
    </button>
  );
}

function Waiting() {
  return (
    <div class="gallery" role="status" aria-label={t().loading}>
      {Array.from({ length: 8 }, (_, at) => (
        <div key={at} class="card shot">
          <span class="poster skeleton" />
        </div>
      ))}
    </div>
  );
}
