// Organisations: those that one is in, and in the scope of one its people, projects and rules.
import { query, setQuery } from "../../core/place.ts";
import { scope } from "../../core/scope.ts";
import { organisations, seatRole } from "../../core/session.ts";
import { Tabs } from "../../kit/rest/tabs.tsx";
import { Screen } from "../../shell/screen.tsx";
import { titleOf } from "../titles.ts";
import { Invitations } from "./invitations.tsx";
import { Members } from "./members.tsx";
import { Own } from "./own.tsx";
import { Projects } from "./projects.tsx";
import { Settings } from "./settings.tsx";
import { t } from "./words.ts";

export function Page() {
  if (scope === null) return <Own />;
  return <Inside id={scope} />;
}

const tabs = ["members", "projects", "invitations", "settings"] as const;
type Tab = (typeof tabs)[number];

/** A member sees its projects and the way out; a viewer sees who is in as well. */
function tabsFor(role: ReturnType<typeof seatRole>): readonly Tab[] {
  if (role === "owner" || role === "admin") return tabs;
  return role === "viewer" ? ["members", "projects", "settings"] : ["projects", "settings"];
}

function Inside({ id }: { id: string }) {
  const words = t();
  const role = seatRole();
  const shown = tabsFor(role);
  const asked = query.value.get("tab");
  const tab = shown.find((one) => one === asked) ?? shown[0] ?? "settings";
  const name = organisations.value.find((one) => one.id === id)?.name;
  const isLeading = role === "owner" || role === "admin";
  return (
    <Screen title={name ?? titleOf("organisation")}>
      <Tabs
        label={titleOf("organisation")}
        value={tab}
        options={shown.map((one) => [one, words.tabs[one]] as const)}
        onChange={(next) => setQuery({ tab: next === shown[0] ? null : next, p: null })}
      >
        {tab === "members" && <Members {...{ id, isLeading }} />}
        {tab === "projects" && <Projects {...{ id, isLeading }} />}
        {tab === "invitations" && <Invitations isOwner={role === "owner"} />}
        {tab === "settings" && <Settings {...{ id, role }} />}
      </Tabs>
    </Screen>
  );
}
