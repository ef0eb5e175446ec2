// The ledger: every line of money that came or went, what is held now, and whether it adds up.
import { query, setQuery } from "../../core/place.ts";
import { isAdmin } from "../../core/session.ts";
import { Tabs } from "../../kit/tabs.tsx";
import { Screen } from "../../shell/screen.tsx";
import { titleOf } from "../titles.ts";
import { Entries } from "./entries.tsx";
import { OpenHolds } from "./holds.tsx";
import { Proof } from "./proof.tsx";
import { t } from "./words.ts";

export function Page() {
  return <Screen title={titleOf("ledger")}>{isAdmin() ? <Parts /> : <Entries />}</Screen>;
}

function Parts() {
  const words = t();
  const options = [
    ["entries", words.entries],
    ["holds", words.holds],
    ["proof", words.proof],
  ] as const;
  const part = options.find(([name]) => name === query.value.get("part"))?.[0] ?? "entries";
  const choose = (next: typeof part) =>
    setQuery({ part: next === "entries" ? null : next, kind: null, cursor: null, p: null });
  return (
    <Tabs label={titleOf("ledger")} value={part} options={options} onChange={choose}>
      {part === "entries" && <Entries />}
      {part === "holds" && <OpenHolds />}
      {part === "proof" && <Proof />}
    </Tabs>
  );
}
