// One person: the account, and in tabs the keys, ways in, entries of the ledger and the trail.
import { useState } from "preact/hooks";
import type { UserView } from "../../../src/admin/contract.ts";
import { pathOf, useAnswer } from "../../core/control.ts";
import { count, exactMoney, moment } from "../../core/format.ts";
import { openId, query, setQuery } from "../../core/place.ts";
import { isAbove, useRoles } from "../../core/lists/roles.ts";
import { may, self } from "../../core/session.ts";
import { Waiting } from "../../kit/waiting.tsx";
import { Button, LinkButton } from "../../kit/button.tsx";
import { CurlButton, Id } from "../../kit/code.tsx";
import { Drawer } from "../../kit/drawer.tsx";
import { Facts } from "../../kit/figures.tsx";
import { later } from "../../kit/later.tsx";
import { Menu } from "../../kit/menu.tsx";
import { Tabs } from "../../kit/rest/tabs.tsx";
import { titleOf } from "../titles.ts";
import { Erase, MakeLink, ResetFactors, setEnabled, SignOutEverywhere } from "./actions.tsx";
import { Credit } from "./credit.tsx";
import { ChangePerson } from "./edit.tsx";
import { PersonState, RoleBadge } from "./parts.tsx";
import type { Steps } from "../../shell/list-page.tsx";
import { t } from "./words.ts";

const belongings = () => import("./belongings.ts");
const MembersOf = later(async () => (await belongings()).MembersOf);
const ProjectsOf = later(async () => (await belongings()).ProjectsOf);
const BudgetsOf = later(async () => (await belongings()).BudgetsOf);
const KeysOf = later(async () => (await belongings()).KeysOf);
const LedgerOf = later(async () => (await belongings()).LedgerOf);
const TrailOf = later(async () => (await belongings()).TrailOf);
const WaysIn = later(async () => (await belongings()).WaysIn);

type DetailOptions = { id: string } & Steps;

type DialogName = "credit" | "change" | "factors" | "link" | "sessions" | "erase";

export function PersonDetail({ id, onPrevious, onNext }: DetailOptions) {
  const path = pathOf("GET /api/user/{id}", { id });
  const { data, error, reload } = useAnswer("GET /api/user/{id}", { id });
  const [dialog, setDialog] = useState<DialogName | null>(null);
  const close = () => openId(null);
  const isReached = isAbove(useRoles(), data?.role ?? "");
  const footer = data && isReached && mayAct() && <Footer view={data} onOpen={setDialog} />;
  return (
    <Drawer
      title={data?.username ?? t().person}
      isWide
      {...{ footer, onPrevious, onNext }}
      onClose={close}
    >
      <Waiting {...{ data, error, reload }} lines={8} />
      {data && <Parts view={data} {...{ path, isReached }} />}
      {data && dialog && <OpenDialog {...{ view: data, dialog, setDialog }} onErased={close} />}
    </Drawer>
  );
}

const acts = [
  "people.write",
  "sign_in_links.make",
  "second_factors.reset",
  "people.erase",
  "money.write",
] as const;

function mayAct(): boolean {
  return acts.some((one) => may(one));
}

interface DialogOptions {
  view: UserView;
  dialog: DialogName;
  setDialog(dialog: null): void;
  onErased(): void;
}

function OpenDialog({ view, dialog, setDialog, onErased }: DialogOptions) {
  const onClose = () => setDialog(null);
  if (dialog === "credit") return <Credit {...{ view, onClose }} />;
  if (dialog === "change") return <ChangePerson {...{ view, onClose }} />;
  if (dialog === "factors") return <ResetFactors {...{ view, onClose }} />;
  if (dialog === "link") return <MakeLink {...{ view, onClose }} />;
  if (dialog === "sessions") return <SignOutEverywhere {...{ view, onClose }} />;
  return <Erase {...{ view, onClose, onErased }} />;
}

function Footer({ view, onOpen }: { view: UserView; onOpen(dialog: DialogName): void }) {
  const words = t();
  const isOn = view.status === "enabled";
  const isSelf = view.id === self.value?.id;
  const isPerson = view.kind === "person";
  return (
    <>
      <Menu
        label={words.actions(view.username)}
        items={[
          !isSelf &&
            may("people.write") && {
              label: isOn ? words.disable : words.enable,
              icon: isOn ? "stop" : "play",
              run: () => void setEnabled(view, !isOn),
            },
          isPerson &&
            may("sign_in_links.make") && {
              label: words.makeLink,
              icon: "link",
              run: () => onOpen("link"),
            },
          isPerson &&
            may("people.write") && {
              label: words.signOut,
              icon: "leave",
              run: () => onOpen("sessions"),
            },
          isPerson &&
            may("second_factors.reset") && {
              label: words.resetFactors,
              icon: "lock",
              run: () => onOpen("factors"),
            },
          !isSelf &&
            may("people.erase") && {
              label: words.erase,
              icon: "trash",
              isDanger: true,
              run: () => onOpen("erase"),
            },
        ]}
      />
      <span class="push" />
      {may("money.write") && (
        <Button icon="ledger" onClick={() => onOpen("credit")}>
          {words.credit}
        </Button>
      )}
      {may("people.write") && (
        <Button kind="main" icon="edit" onClick={() => onOpen("change")}>
          {words.change}
        </Button>
      )}
    </>
  );
}

interface PartsOptions {
  view: UserView;
  path: string;
  isReached: boolean;
}

function Parts({ view, path, isReached }: PartsOptions) {
  const words = t();
  const isOrganisation = view.kind === "organisation";
  const hasWaysIn = !isOrganisation && (isReached || view.id === self.value?.id);
  const options = [
    ["account", words.account],
    ...(isOrganisation ? partsOfOrganisation() : []),
    ...(may("keys.read") ? ([["keys", words.keys]] as const) : []),
    ...(hasWaysIn ? ([["ways", words.waysIn]] as const) : []),
    ...(may("money.read") ? ([["ledger", words.ledger]] as const) : []),
    ...(may("audit.read") ? ([["trail", words.trail]] as const) : []),
  ] as const;
  const tab = options.find(([name]) => name === query.value.get("tab"))?.[0] ?? "account";
  const choose = (next: typeof tab) => setQuery({ tab: next === "account" ? null : next });
  return (
    <Tabs label={view.username} value={tab} options={options} onChange={choose}>
      {tab === "account" && <PersonFacts {...{ view, path }} />}
      {tab === "members" && <MembersOf view={view} />}
      {tab === "projects" && <ProjectsOf view={view} />}
      {tab === "budgets" && <BudgetsOf view={view} />}
      {tab === "keys" && <KeysOf view={view} />}
      {tab === "ways" && <WaysIn view={view} />}
      {tab === "ledger" && <LedgerOf view={view} />}
      {tab === "trail" && <TrailOf view={view} />}
    </Tabs>
  );
}

function partsOfOrganisation() {
  const { members, projects } = t();
  return [
    ["members", members] as const,
    ["projects", projects] as const,
    ...(may("budgets.read") ? [["budgets", titleOf("budgets")] as const] : []),
  ];
}

function PersonFacts({ view, path }: { view: UserView; path: string }) {
  const words = t();
  const rate = (value: number | null) => (value === null ? words.noLimit : count(value));
  const left = view.quota_micros;
  const requests = new URLSearchParams({ account: view.username });
  return (
    <>
      <Facts
        pairs={[
          [words.status, <PersonState status={view.status} />],
          [words.role, <RoleBadge view={view} />],
          [words.group, view.group],
          [words.email, view.email],
          [words.emailPending, view.email_pending],
          may("money.read") && [
            words.available,
            left === null ? words.unlimited : exactMoney(left),
          ],
          may("money.read") && [
            words.held,
            <span class="number">{exactMoney(view.held_micros)}</span>,
          ],
          may("money.read") && [
            words.spent,
            <span class="number">{exactMoney(view.used_micros)}</span>,
          ],
          [words.requests_per_minute, rate(view.requests_per_minute)],
          [words.tokens_per_minute, rate(view.tokens_per_minute)],
          [words.concurrency, rate(view.concurrency)],
          [words.created, moment(view.created_at, "full")],
          [words.id, <Id text={view.id} />],
        ]}
      />
      <div class="row wraps">
        <LinkButton icon="requests" href={`/console/requests?${requests}`}>
          {words.requestsOf}
        </LinkButton>
        <CurlButton path={path} />
      </div>
    </>
  );
}
