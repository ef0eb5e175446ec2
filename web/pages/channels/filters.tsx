// What narrows the list of channels, and the file that they can be taken along in.
import { useState } from "preact/hooks";
import type { GroupView, Listed } from "../../../src/admin/contract.ts";
import { useGet } from "../../core/api.ts";
import { query, setQuery } from "../../core/place.ts";
import { Button } from "../../kit/button.tsx";
import { CurlButton } from "../../kit/code.tsx";
import { Check, FilterSelect } from "../../kit/field.tsx";
import { SearchBox } from "../../kit/filters.tsx";
import { t } from "./words.ts";
import { YamlDialog } from "./yaml.tsx";

export const filterNames = ["q", "status", "group", "model", "sandbox", "p"] as const;

export function useGroups(): readonly string[] {
  const { data } = useGet<Listed<GroupView>>("/api/group?page_size=100");
  return data?.items.map(({ name }) => name) ?? [];
}

export function Filters({ path }: { path: string }) {
  const words = t();
  const [isYaml, setYaml] = useState(false);
  const groups = useGroups();
  const statuses = [
    ["", words.anyStatus],
    ["enabled", words.enabled],
    ["disabled", words.disabled],
  ] as const;
  const status = query.value.get("status");
  return (
    <div class="bar">
      <SearchBox label={words.search} />
      <FilterSelect
        label={words.state}
        value={statuses.find(([name]) => name === status)?.[0] ?? ""}
        options={statuses}
        onChange={(next) => setQuery({ status: next, p: null })}
      />
      <FilterSelect
        label={words.group}
        value={query.value.get("group") ?? ""}
        options={[["", words.anyGroup], ...groups.map((name) => [name, name] as const)]}
        onChange={(next) => setQuery({ group: next, p: null })}
      />
      <Check
        label={words.practice}
        isOn={query.value.get("sandbox") === "true"}
        onChange={(isOn) => setQuery({ sandbox: isOn ? "true" : null, p: null })}
      />
      <span class="push row">
        <Button kind="plain" isSmall icon="upload" onClick={() => setYaml(true)}>
          {words.yaml}
        </Button>
        <CurlButton path={path} />
      </span>
      {isYaml && <YamlDialog onClose={() => setYaml(false)} />}
    </div>
  );
}
