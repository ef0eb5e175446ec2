// One setting: what it does, what it is and whence, and changing it where that may be done here.
import type { SettingView } from "../../../src/admin/contract.ts";
import { moment } from "../../core/format.ts";
import { openId } from "../../core/place.ts";
import { may } from "../../core/session.ts";
import { Badge } from "../../kit/badge.tsx";
import { Code } from "../../kit/code.tsx";
import { Drawer } from "../../kit/drawer.tsx";
import { Facts } from "../../kit/figures.tsx";
import { Destinations } from "./destinations.tsx";
import { Editor } from "./editor.tsx";
import { labelOf } from "./labels/words.ts";
import { textOf, type Value } from "./text.ts";
import { t } from "./words.ts";

interface DetailOptions {
  setting: SettingView;
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
}

export function SettingDetail({ setting, onPrevious, onNext }: DetailOptions) {
  const { name, description } = setting;
  const label = labelOf(name);
  return (
    <Drawer title={label ?? name} {...{ onPrevious, onNext }} onClose={() => openId(null)}>
      <p class="wrap">{description}</p>
      <States setting={setting} />
      <Changing setting={setting} />
      {name === "notices.destinations" && <Destinations setting={setting} />}
      <Whence setting={setting} />
      {name.includes(".") && (
        <details>
          <summary>{t().asYaml}</summary>
          <Code text={yamlOf(name, setting.value)} />
        </details>
      )}
    </Drawer>
  );
}

/** States that somebody has to know of. */
function States({ setting: { pending, live, stated, place, page } }: { setting: SettingView }) {
  const words = t();
  const pendingText = live ? words.pendingReload : words.pending;
  return (
    <>
      {pending !== null && <p class="notice warn wrap">{pendingText(textOf(pending))}</p>}
      {stated !== null && stated.problem !== null && (
        <p class="notice bad wrap">{words.leftOut(stated.problem)}</p>
      )}
      {page && place !== null && <p class="notice wrap">{words.locked(place)}</p>}
    </>
  );
}

/** Only root changes settings; what is stated elsewhere is locked. */
function Changing({ setting }: { setting: SettingView }) {
  const { page, place, name, stated } = setting;
  if (!page) return <p class="faint wrap">{t().fileOnly}</p>;
  if (!may("settings.change")) return <p class="faint wrap">{t().rootOnly}</p>;
  if (place !== null && stated === null) return null;
  return <Editor key={`${name} ${stated?.at ?? 0}`} setting={setting} />;
}

function Whence({ setting }: { setting: SettingView }) {
  const words = t();
  const { source, place, variable, live, stated } = setting;
  return (
    <Facts
      pairs={[
        [words.value, <Shown value={setting.value} />],
        [words.usual, <Shown value={setting.default} />],
        [words.source, <Badge>{words.sources[source]}</Badge>],
        place !== null && [words.place, <span class="mono wrap">{place}</span>],
        variable !== null && [words.variables, <span class="mono">{variable}</span>],
        [words.takesEffect, live ? words.atOnce : words.byRestart],
        stated !== null && [
          words.changedBy,
          `${stated.by ?? words.gone}, ${moment(stated.at, "full")}`,
        ],
        stated !== null && [words.before, <Shown value={stated.previous} />],
      ]}
    />
  );
}

function Shown({ value }: { value: Value }) {
  return <span class="mono wrap">{textOf(value)}</span>;
}

/** JSON is YAML too, so the value itself needs no writer of its own. */
function yamlOf(name: string, value: Value): string {
  const parts = name.split(".");
  const lines = parts.map((part, at) => `${"  ".repeat(at)}${part}:`);
  return `${lines.join("\n")} ${JSON.stringify(value)}`;
}
