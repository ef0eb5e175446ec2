// What is held now for what runs: the oldest first, because an old hold is the one to look at.
import type { HoldView, ListedHolds } from "../../../src/admin/contract.ts";
import { useGet, withQuery } from "../../core/api.ts";
import { exactMoney, millis, moment } from "../../core/format.ts";
import { addressOf, query, setQuery } from "../../core/place.ts";
import { Badge } from "../../kit/badge.tsx";
import { CurlButton } from "../../kit/code.tsx";
import { Empty } from "../../kit/empty.tsx";
import { FilterSelect } from "../../kit/field.tsx";
import { SearchBox } from "../../kit/filters.tsx";
import { Card } from "../../kit/figures.tsx";
import { List, type Column } from "../../kit/table.tsx";
import { t } from "./words.ts";

const everyMs = 15_000;

export function OpenHolds() {
  const words = t();
  const [account, kind, p] = ["account", "kind", "p"].map((name) => query.value.get(name));
  const path = withQuery("/api/hold", { account, kind, p, page_size: 50 });
  const loaded = useGet<ListedHolds>(path, everyMs);
  const options = [
    ["", words.anyKind],
    ["request", words.holdKinds.request],
    ["task", words.holdKinds.task],
  ] as const;
  return (
    <>
      <div class="bar">
        <SearchBox name="account" label={words.searchAccount} />
        <FilterSelect
          label={words.kind}
          value={options.find(([one]) => one === kind)?.[0] ?? ""}
          options={options}
          onChange={(next) => setQuery({ kind: next, p: null })}
        />
        <span class="push row">
          {loaded.data && (
            <span class="quiet">{words.heldInAll(exactMoney(loaded.data.micros))}</span>
          )}
          <CurlButton path={path} />
        </span>
      </div>
      <Card isFlush>
        <List
          label={words.holds}
          loaded={loaded}
          columns={columns()}
          idOf={({ id }) => id}
          empty={<Empty title={words.noHolds} text={words.noHoldsText} />}
        />
      </Card>
    </>
  );
}

function columns(): Column<HoldView>[] {
  const words = t();
  return [
    {
      name: "age",
      head: words.age,
      cell: ({ age_seconds: age, created_at: at }) => (
        <span title={moment(at, "full")}>{millis(age * 1000)}</span>
      ),
      card: "line",
    },
    {
      name: "kind",
      head: words.kind,
      cell: ({ kind }) => <Badge>{words.holdKinds[kind]}</Badge>,
      card: "line",
    },
    { name: "account", head: words.account, cell: ({ account }) => account },
    { name: "model", head: words.model, cell: ({ model }) => model, card: "title" },
    {
      name: "id",
      head: words.id,
      cell: ({ id, kind }) => (
        <a class="mono" href={addressOf(kind === "task" ? "media" : "live", id)}>
          {id}
        </a>
      ),
      card: "hidden",
    },
    {
      name: "micros",
      head: words.held,
      cell: ({ micros }) => exactMoney(micros),
      isRight: true,
      card: "aside",
    },
  ];
}
