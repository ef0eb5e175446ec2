// What both kinds of codes show alike.
import { query, setQuery } from "../../core/place.ts";
import { Badge, type Tone } from "../../kit/badge.tsx";
import { CurlButton } from "../../kit/code.tsx";
import { FilterSelect } from "../../kit/field.tsx";
import { SearchBox } from "../../kit/filters.tsx";
import { t } from "./words.ts";

type CodeStatus = "open" | "used" | "redeemed" | "expired";

const tones: Readonly<Record<CodeStatus, Tone>> = {
  open: "good",
  used: "none",
  redeemed: "none",
  expired: "warn",
};

export function CodeState({ status }: { status: CodeStatus }) {
  return <Badge tone={tones[status]}>{t().statuses[status]}</Badge>;
}

interface FilterOptions {
  path: string;
  search: string;
  statuses: readonly CodeStatus[];
}

export function CodeFilters({ path, search, statuses }: FilterOptions) {
  const words = t();
  const status = statuses.find((one) => one === query.value.get("status")) ?? "";
  const options = [
    ["", words.anyStatus] as const,
    ...statuses.map((one) => [one, words.statuses[one]] as const),
  ];
  return (
    <div class="bar">
      <SearchBox label={search} />
      <FilterSelect<CodeStatus | "">
        label={words.status}
        value={status}
        options={options}
        onChange={(next) => setQuery({ status: next, p: null })}
      />
      <span class="push">
        <CurlButton path={path} />
      </span>
    </div>
  );
}
