// The ledger: every line of money that came or went, what is held now, and whether it adds up.
import { query, setQuery } from "../../core/place.ts";
import { may } from "../../core/session.ts";
import { Tabs } from "../../kit/rest/tabs.tsx";
import { Screen } from "../../shell/screen.tsx";
import { titleOf } from "../titles.ts";
import { Entries } from "./entries.tsx";
import { OpenHolds } from "./holds.tsx";
import { Proof } from "./proof.tsx";
import { Statement } from "./statement.tsx";
import { t } from "./words.ts";

export function Page() {
  return (
    <Screen title={titleOf("ledger")}>
      <Parts />
    </Screen>
  );
}

function Parts() {
  const words = t();
  const all = [
    ["entries", words.entries],
    ["statement", words.statement],
    ["holds", words.holds],
    ["proof", words.proof],
  ] as const;
  const options = may("money.read") ? all : all.slice(0, 2);
  const part = options.find(([name]) => name === query.value.get("part"))?.[0] ?? "entries";
  const choose = (next: typeof part) =>
    setQuery({ part: next === "entries" ? null : next, kind: null, cursor: null, p: null });
  return (
    <Tabs label={titleOf("ledger")} value={part} options={options} onChange={choose}>
      {part === "entries" && <Entries />}
      {part === "statement" && <Statement />}
      {part === "holds" && <OpenHolds />}
      {part === "proof" && <Proof />}
    </Tabs>
  );
}
