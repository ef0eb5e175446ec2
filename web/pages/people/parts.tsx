// Views of somebody's role and state, and lists that stand beside them.
import type { ComponentChildren } from "preact";
import type { Listed, UserView } from "../../../src/admin/contract.ts";
import type { Loaded } from "../../core/api.ts";
import { roleName } from "../../kit/page-words.ts";
import { Badge, Dot } from "../../kit/badge.tsx";
import { Skeleton } from "../../kit/empty.tsx";
import { Failure } from "../../kit/failure.tsx";
import { Card } from "../../kit/figures.tsx";
import { Table, type Column } from "../../kit/table.tsx";
import { t } from "./words.ts";

/** Nobody signs in to an organisation, so it has no role. */
export function RoleBadge({ view: { kind, role } }: { view: Pick<UserView, "kind" | "role"> }) {
  if (kind === "organisation") return <Badge tone="none">{t().kinds.organisation}</Badge>;
  return <Badge tone={role === "user" ? "none" : "accent"}>{roleName(role)}</Badge>;
}

export function PersonState({ status }: Pick<UserView, "status">) {
  if (status === "waiting") return <Dot tone="warn">{t().waiting}</Dot>;
  return status === "enabled" ? (
    <Dot tone="good">{t().enabled}</Dot>
  ) : (
    <Dot tone="none">{t().disabled}</Dot>
  );
}

interface RelatedOptions<Row> {
  title: string;
  loaded: Loaded<Pick<Listed<Row>, "items">>;
  columns: readonly (Column<Row> | false)[];
  idOf(row: Row): string;
  empty: string;
  tools?: ComponentChildren;
}

/** A short list of a person's things; the whole one is on its own page. */
export function Related<Row>(options: RelatedOptions<Row>) {
  const { title, loaded, columns, idOf, empty, tools } = options;
  const { data, error, isPending, reload } = loaded;
  return (
    <Card {...{ title, tools }} isFlush>
      {error && !data && <Failure error={error} onRetry={reload} />}
      {!data && !error && (
        <div class="inside">
          <Skeleton lines={3} />
        </div>
      )}
      {data?.items.length === 0 && <p class="inside faint">{empty}</p>}
      {data && data.items.length > 0 && (
        <div class="scrolls">
          <Table label={title} {...{ columns, idOf }} rows={data.items} isWaiting={isPending} />
        </div>
      )}
    </Card>
  );
}
